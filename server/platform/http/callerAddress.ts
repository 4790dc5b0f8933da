import ipaddr from 'ipaddr.js'

/**
 * What limits by address count a caller under: an IPv4 address as it is, of an IPv6 address its /64. A provider gives a customer a whole
 * /64 at least, so that each single address would be a new caller's. An IPv4 address written as IPv6 counts as itself.
 * @param ip of `request.ip`
 */
export function callerAddress(ip: string): string {
  const plain = ip.replace(/%.*$/, '')
  if (!ipaddr.isValid(plain)) return ip
  const address = ipaddr.process(plain)
  if (address instanceof ipaddr.IPv4) return address.toString()
  return `${new ipaddr.IPv6([...address.parts.slice(0, 4), 0, 0, 0, 0]).toString()}/64`
}
