import { isIP } from 'node:net'
import { z } from 'zod'
import { StartError } from '../database/startError'

/** How chatbots' custom domains are reached and get TLS (server/modules/domains/README.md). */
export interface DomainSettings {
  mode: 'proxy' | 'builtin' | 'manual'
  /**
   * where DNS records of custom domains must point: a host name, IP addresses, or both; empty: the host of chat pages
   */
  target: string[]
  /** DNS servers to query; empty: the system's */
  dnsServers: string[]
  /** ports of the listeners of `builtin` and `manual` */
  httpPort: number
  httpsPort: number
  acme: {
    directory: string
    email: string | null
    challenge: 'http-01' | 'tls-alpn-01'
    /** external account binding, which some authorities require */
    eab: { kid: string; hmac: string } | null
  }
  /** for tests: the ports to use instead of 80 and 443, and certificate authorities to trust besides the usual ones */
  reach?: { http: number; https: number; ca?: string }
}

const LETS_ENCRYPT = 'https://acme-v02.api.letsencrypt.org/directory'
const listOf = (text: string): string[] => text.split(/[\s,]+/).filter((item) => item !== '')
const port = (standard: string, what: string) =>
  z
    .string()
    .default(standard)
    .refine((text) => /^\d{1,5}$/.test(text) && Number(text) <= 65_535, `give the port for ${what}, from 0 to 65535`)
    .transform(Number)

/** The variables about custom domains, for the table of them all. */
export const domainVariables = {
  TLS_MODE: z.enum(['proxy', 'builtin', 'manual'], 'give proxy, builtin or manual').default('proxy'),
  DOMAIN_TARGET: z
    .string()
    .default('')
    .transform(listOf)
    .refine(
      (items) =>
        items.length <= 4 && items.every((item) => isIP(item) > 0 || /^[a-z0-9-]+(\.[a-z0-9-]+)+$/i.test(item)),
      'give the host name or the IP address that custom domains lead to, such as domains.example.com, 203.0.113.7',
    ),
  DNS_SERVERS: z
    .string()
    .default('')
    .transform(listOf)
    .refine(
      (items) => items.length <= 8 && items.every(isDnsServer),
      'give IP addresses of DNS servers with commas between them, such as 1.1.1.1, 9.9.9.9:53',
    ),
  HTTP_PORT: port('80', 'custom domains over HTTP'),
  HTTPS_PORT: port('443', 'custom domains over HTTPS'),
  ACME_DIRECTORY: z
    .string()
    .refine(
      (text) => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol),
      `give the address of an ACME directory, such as ${LETS_ENCRYPT}`,
    )
    .default(LETS_ENCRYPT),
  ACME_EMAIL: z.email('give the email address that the certificate authority writes to').optional(),
  ACME_CHALLENGE: z.enum(['http-01', 'tls-alpn-01'], 'give http-01 or tls-alpn-01').default('http-01'),
  ACME_EAB_KID: z.string().max(500, 'give the key id that the certificate authority gave you').optional(),
  ACME_EAB_HMAC: z
    .string()
    .regex(/^[A-Za-z0-9_-]+=*$/, 'give the HMAC key that the certificate authority gave you, in base64url')
    .optional(),
}

type Given = z.infer<z.ZodObject<typeof domainVariables>>

/** @throws StartError for one half of an external account binding */
export function readDomainSettings(given: Given): DomainSettings {
  const { ACME_EAB_KID: kid, ACME_EAB_HMAC: hmac } = given
  if (!kid !== !hmac) throw new StartError('ACME_EAB_KID and ACME_EAB_HMAC belong together: give both, or neither')
  return {
    mode: given.TLS_MODE,
    target: given.DOMAIN_TARGET.map((item) => item.toLowerCase()),
    dnsServers: given.DNS_SERVERS,
    httpPort: given.HTTP_PORT,
    httpsPort: given.HTTPS_PORT,
    acme: {
      directory: given.ACME_DIRECTORY,
      email: given.ACME_EMAIL ?? null,
      challenge: given.ACME_CHALLENGE,
      eab: kid && hmac ? { kid, hmac } : null,
    },
  }
}

/** An address with an optional port, as node:dns takes it. */
function isDnsServer(item: string): boolean {
  const [, bracketed, plain = ''] = /^(?:\[([^\]]+)\]|([\d.]+))(?::\d{1,5})?$/.exec(item) ?? []
  return isIP(bracketed ?? plain) > 0 || isIP(item) === 6
}
