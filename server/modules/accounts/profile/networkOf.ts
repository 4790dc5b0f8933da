import ipaddr from 'ipaddr.js'
import type { Session } from '../../../contracts/profile'

const networks: Readonly<Record<string, Session['network']>> = {
  loopback: 'machine',
  ...{ private: 'private', linkLocal: 'private', uniqueLocal: 'private', carrierGradeNat: 'private' },
  unicast: 'public',
}

/**
 * Where an address belongs: this machine, a private network, or the internet. Which town or country an address is in
 * would take a database of places, which Parley does not bring.
 * @param address of a caller; empty or another text: unknown
 */
export function networkOf(address: string): Session['network'] {
  const plain = address.replace(/%.*$/, '')
  return ipaddr.isValid(plain) ? (networks[ipaddr.process(plain).range()] ?? 'unknown') : 'unknown'
}
