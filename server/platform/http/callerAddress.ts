import ipaddr from 'ipaddr.js'

/**
 * The key of a caller's address for limits: an IPv4 address as it is, an IPv6 address by its /64, since providers
 * assign each customer at least a whole /64. An IPv4 address in IPv6 form counts as IPv4.
 * @param ip of `request.ip`, which is undefined once the caller has hung up
 */
export function callerAddress(ip: string | undefined): string {
  if (ip === undefined) return 'gone'
  const plain = ip.replace(/%.*$/, '')
  if (!ipaddr.isValid(plain)) return ip
  const address = ipaddr.process(plain)
  if (address instanceof ipaddr.IPv4) return address.toString()
  return `${new ipaddr.IPv6([...address.parts.slice(0, 4), 0, 0, 0, 0]).toString()}/64`
}
