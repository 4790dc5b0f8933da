import ipaddr from 'ipaddr.js'

/**
 * By what limits know who calls: an IPv4 address, or the network of 64 bits that an IPv6 address is in, since one customer has at least
 * that many. What is no address stays as it is.
 */
export function addressKey(address: string): string {
  if (!ipaddr.isValid(address)) return address
  const parsed = ipaddr.process(address)
  if (parsed.kind() === 'ipv4') return parsed.toString()
  const network = ipaddr.IPv6.networkAddressFromCIDR(`${parsed.toString()}/64`)
  return `${network.toString()}/64`
}
