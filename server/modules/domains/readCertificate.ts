import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto'
import { ApiError, fieldError } from '../../platform/errors'

const CERTIFICATE = /-----BEGIN CERTIFICATE-----[A-Za-z0-9+/=\s]+-----END CERTIFICATE-----/g
/** The most certificates in a chain. */
const MOST = 10

/**
 * Parses an uploaded certificate and its key, in PEM: the host's own first, then its issuers'.
 * @throws ApiError `invalid` for the field that is wrong
 */
export function readCertificate(
  { certificate, key }: { certificate: string; key: string },
  hostname: string,
  now: Date,
): { certificate: string; key: string; expiresAt: Date } {
  const blocks = certificate.match(CERTIFICATE) ?? []
  const [own] = blocks.slice(0, MOST).map(parse)
  if (!own || blocks.length > MOST)
    throw fieldError('certificate', 'Enter a certificate in PEM format, with its chain below it')
  if (own.checkHost(hostname, { subject: 'never' }) === undefined)
    throw fieldError('certificate', `This certificate is not for ${hostname}`)
  const expiresAt = new Date(own.validTo)
  if (expiresAt <= now) throw fieldError('certificate', 'This certificate has expired')
  if (new Date(own.validFrom) > now) throw fieldError('certificate', 'This certificate is not valid yet')
  const read = parseKey(key)
  if (!read) throw fieldError('key', 'Enter a private key in PEM format, without a password')
  if (!own.checkPrivateKey(read)) throw fieldError('key', 'This key does not belong to the certificate')
  return {
    certificate: `${blocks.join('\n')}\n`,
    key: read.export({ type: 'pkcs8', format: 'pem' }).toString(),
    expiresAt,
  }
}

function parse(pem: string): X509Certificate {
  try {
    return new X509Certificate(pem)
  } catch (cause) {
    const text = 'Enter a certificate in PEM format, with its chain below it'
    throw new ApiError('invalid', { fields: { certificate: text }, cause })
  }
}

function parseKey(pem: string): KeyObject | null {
  try {
    return createPrivateKey(pem)
  } catch {
    return null
  }
}
