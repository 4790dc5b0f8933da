import ipaddr from 'ipaddr.js'
import type { OutboundErrorCode } from './errors'

type Address = ipaddr.IPv4 | ipaddr.IPv6
/** A network that the operator allows calls to. */
export type AllowedNetwork = readonly [Address, number]

/** Addresses of cloud metadata services; some are outside the private ranges. */
const METADATA = new Set(
  [
    '169.254.169.254',
    '169.254.169.253',
    '169.254.169.250',
    '169.254.170.2',
    '169.254.170.23',
    '169.254.0.23',
    '169.254.10.10',
    '169.254.42.42',
    '100.100.100.200',
    '168.63.129.16',
    '192.0.0.192',
    'fd00:ec2::254',
    'fd00:ec2::253',
    'fd00:ec2::23',
    'fd20:ce::254',
    'fd00:42::42',
    'fe80::a9fe:a9fe',
  ].map((address) => ipaddr.parse(address).toString()),
)

/** The allocated part of IPv6: other addresses are unassigned or private. */
const GLOBAL = ipaddr.IPv6.parseCIDR('2000::/3')
/**
 * Prefixes of IPv6 addresses that contain an IPv4 address: mapped, translated, NAT64, and the retired compatible one.
 */
const EMBEDDING = ['::ffff:0:0/96', '::ffff:0:0:0/96', '64:ff9b::/96', '::/96'].map((text) =>
  ipaddr.IPv6.parseCIDR(text),
)

/**
 * Why a call to an address is refused, or null if it is allowed: only public addresses and the operator's networks.
 * Metadata addresses are refused even there. An IPv6 address that contains an IPv4 one is judged as that.
 * @param text as given by the resolver or the socket; anything but an address is refused
 */
export function refusalOf(text: string, allowed: readonly AllowedNetwork[]): OutboundErrorCode | null {
  const plain = text.replace(/%.*$/, '')
  if (!ipaddr.isValid(plain)) return 'private_address'
  const given = ipaddr.parse(plain)
  const meant = embedded(given)
  const forms = meant ? [given, meant] : [given]
  if (forms.some((form) => METADATA.has(form.toString()))) return 'metadata_address'
  const target = forms.at(-1) ?? given
  if (allowed.some(([network, bits]) => network.kind() === target.kind() && target.match(network, bits))) return null
  return isPublic(target) ? null : 'private_address'
}

function isPublic(address: Address): boolean {
  if (address.range() !== 'unicast') return false
  return address instanceof ipaddr.IPv4 || address.match(GLOBAL)
}

/**
 * The IPv4 address within an IPv6 one. 6to4 and Teredo are refused as a whole: the prefix does not say what they reach.
 */
function embedded(address: Address): ipaddr.IPv4 | null {
  if (address instanceof ipaddr.IPv4) return null
  const bytes = address.toByteArray()
  const stands =
    EMBEDDING.some((network) => address.match(network)) && bytes.slice(12).some((byte, at) => byte > Number(at === 3))
  return stands ? new ipaddr.IPv4(bytes.slice(12)) : null
}

/**
 * Parses networks such as `10.0.0.0/8, 192.168.1.20, fd00::/8`.
 * @throws RangeError that names the first invalid one
 */
export function parseNetworks(text: string): AllowedNetwork[] {
  return text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '')
    .map((item) => {
      try {
        if (item.includes('/')) return ipaddr.parseCIDR(item)
        const address = ipaddr.parse(item)
        return [address, address.kind() === 'ipv4' ? 32 : 128] as const
      } catch {
        throw new RangeError(item)
      }
    })
}
