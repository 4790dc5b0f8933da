import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'
import { bits, integer, octets, oid, sequence, set, tagged, time, tlv, yes } from './der'

const ECDSA_WITH_SHA256 = sequence(oid('1.2.840.10045.4.3.2'))
const EXTENSION_REQUEST = '1.2.840.113549.1.9.14'
const ALTERNATIVE_NAME = '2.5.29.17'
const ACME_IDENTIFIER = '1.3.6.1.5.5.7.1.31'
const NOBODY = sequence()
/** CN=Parley: a self-signed certificate needs an issuer's name. */
const SELF = sequence(set(sequence(oid('2.5.4.3'), tlv(0x0c, Buffer.from('Parley')))))
const DAY = 86_400_000

export const newKeyPair = () => generateKeyPairSync('ec', { namedCurve: 'P-256' })

const publicBytes = (key: KeyObject): Buffer => key.export({ type: 'spki', format: 'der' })
const signed = (content: Buffer, key: KeyObject): Buffer =>
  sequence(content, ECDSA_WITH_SHA256, bits(sign('sha256', content, key)))
const alternativeName = (hostname: string): Buffer =>
  sequence(oid(ALTERNATIVE_NAME), octets(sequence(tlv(0x82, Buffer.from(hostname, 'ascii')))))

/** A certificate request for one host (PKCS #10, RFC 2986), in DER. */
export function certificateRequest(hostname: string, { publicKey, privateKey }: ReturnType<typeof newKeyPair>): Buffer {
  const extensions = sequence(oid(EXTENSION_REQUEST), set(sequence(alternativeName(hostname))))
  const content = sequence(integer(Buffer.from([0])), NOBODY, publicBytes(publicKey), tagged(0, extensions))
  return signed(content, privateKey)
}

interface Validity {
  from: Date
  to: Date
}

/** A self-signed certificate for one host, in PEM. @param extensions besides the host's name */
export function selfSigned(hostname: string, { from, to }: Validity, extensions: readonly Buffer[] = []) {
  const { publicKey, privateKey } = newKeyPair()
  const content = sequence(
    tagged(0, integer(Buffer.from([2]))),
    integer(Buffer.concat([Buffer.from([1]), randomBytes(15)])),
    ECDSA_WITH_SHA256,
    SELF,
    sequence(time(from), time(to)),
    SELF,
    publicBytes(publicKey),
    tagged(3, sequence(alternativeName(hostname), ...extensions)),
  )
  return {
    cert: pem('CERTIFICATE', signed(content, privateKey)),
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  }
}

/** The certificate for tls-alpn-01 (RFC 8737): self-signed, with the key authorization's hash. */
export function challengeCertificate(hostname: string, keyAuthorization: string, now: Date) {
  const hash = createHash('sha256').update(keyAuthorization).digest()
  const identifier = sequence(oid(ACME_IDENTIFIER), yes, octets(octets(hash)))
  const validity = { from: new Date(now.getTime() - DAY), to: new Date(now.getTime() + DAY) }
  return selfSigned(hostname, validity, [identifier])
}

const pem = (label: string, bytes: Buffer): string =>
  `-----BEGIN ${label}-----\n${bytes.toString('base64').replace(/.{64}/g, '$&\n')}\n-----END ${label}-----\n`
