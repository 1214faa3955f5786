// The server may answer without a total: then this throws, as code in the wild does.
export function formatTotal(order) {
  const amount = order.total.amount;
  return `${amount.toFixed(2)} ${order.total.currency}`;
}
