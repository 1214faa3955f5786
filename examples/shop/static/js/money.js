// Writes and adds up prices.

const SHIPPING = {standard: 4.9, express: 12.9, pickup: 0};

export function money(price) {
  return `€${price.amount.toFixed(2)}`;
}

export function subtotal(lines) {
  return lines.reduce((sum, line) => sum + line.product.price.amount * line.quantity, 0);
}

export function shippingCost(shipping) {
  return SHIPPING[shipping];
}
