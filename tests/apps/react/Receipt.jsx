export default function Receipt({order}) {
  const address = order.shipping.address;
  return <p>Ships to {address}</p>;
}
