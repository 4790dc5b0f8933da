import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import {
  addPasskey,
  beginPasskey,
  type MadePasskey,
  type Passkey,
  type SignedByPasskey,
} from '../../server/contracts/passkeys'
import type { Registered } from './server'

/** What a page, a browser or a device may do otherwise than it should. */
interface Otherwise {
  /** of the page that asks */
  origin?: string
  /** the host that the device believes the key is for */
  rpId?: string
  challenge?: string
  /** whether the device has asked who the person is */
  verified?: boolean
  /** how often the device says that it has signed; default: 0, it does not count */
  counter?: number
  userHandle?: string
  /** what the answer says that it is */
  type?: string
  /** how the device says of what make it is, and whether by certificates; default: it does not */
  format?: string
  certificates?: boolean
}

/** A device with one passkey, made in software: what WebAuthn says of keys, signatures and their forms. */
export interface Authenticator {
  make(options: object, otherwise?: Otherwise): MadePasskey
  sign(options: object, otherwise?: Otherwise): SignedByPasskey
}

/** @param site where the person is, as `https://parley.test` */
export function createAuthenticator(site: string): Authenticator {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
  const id = randomBytes(32)
  let user = ''

  const clientDataOf = (type: string, { challenge }: { challenge: string }, otherwise: Otherwise) =>
    Buffer.from(
      JSON.stringify({
        type: otherwise.type ?? type,
        challenge: otherwise.challenge ?? challenge,
        ...{ origin: otherwise.origin ?? site, crossOrigin: false },
      }),
    )
  const deviceDataOf = ({ rpId, verified = true, counter = 0 }: Otherwise, made?: Buffer) => {
    const count = Buffer.alloc(4)
    count.writeUInt32BE(counter)
    const flags = 1 | (verified ? 4 : 0) | (made ? 64 : 0)
    return Buffer.concat([sha256(rpId ?? new URL(site).hostname), Buffer.of(flags), count, made ?? Buffer.alloc(0)])
  }

  return {
    make(options, otherwise = {}) {
      const asked = options as { challenge: string; user: { id: string } }
      user = asked.user.id
      const clientData = clientDataOf('webauthn.create', asked, otherwise)
      // COSE: an elliptic curve's key, of ES256, on P-256
      const key = cbor(
        new Map<number, number | Buffer>([
          ...[[1, 2] as const, [3, -7] as const, [-1, 1] as const],
          ...[[-2, Buffer.from(x, 'base64url')] as const, [-3, Buffer.from(y, 'base64url')] as const],
        ]),
      )
      const made = Buffer.concat([Buffer.alloc(16), Buffer.of(0, id.length), id, key])
      const statement = new Map<string, Cbor>(otherwise.certificates ? [['x5c', Buffer.from('a certificate')]] : [])
      const attestation = new Map<string, Cbor>([
        ...[['fmt', otherwise.format ?? 'none'] as const, ['attStmt', statement] as const],
        ['authData', deviceDataOf(otherwise, made)],
      ])
      return {
        credential: id.toString('base64url'),
        clientDataJSON: clientData.toString('base64url'),
        attestationObject: cbor(attestation).toString('base64url'),
        transports: ['internal'],
      }
    },

    sign(options, otherwise = {}) {
      const clientData = clientDataOf('webauthn.get', options as { challenge: string }, otherwise)
      const deviceData = deviceDataOf(otherwise)
      const signature = sign('sha256', Buffer.concat([deviceData, sha256(clientData)]), privateKey)
      return {
        credential: id.toString('base64url'),
        clientDataJSON: clientData.toString('base64url'),
        authenticatorData: deviceData.toString('base64url'),
        signature: signature.toString('base64url'),
        userHandle: otherwise.userHandle ?? user,
      }
    },
  }
}

/** Adds a passkey of a new device to an account. */
export async function addDevice(
  person: Registered,
  site: string,
  otherwise?: Otherwise,
): Promise<{ device: Authenticator; passkey: Passkey }> {
  const device = createAuthenticator(site)
  const { options } = await person.call(beginPasskey, { body: { current: person.password } })
  const { passkey } = await person.call(addPasskey, { body: { name: 'Phone', made: device.make(options, otherwise) } })
  return { device, passkey }
}

const sha256 = (data: string | Buffer): Buffer => createHash('sha256').update(data).digest()

type Cbor = number | string | Buffer | Map<number, number | Buffer> | Map<string, Cbor>

/** The part of CBOR (RFC 8949) that is needed here: lengths below 65,536. */
function cbor(value: Cbor): Buffer {
  if (typeof value === 'number') return value < 0 ? head(1, -1 - value) : head(0, value)
  if (typeof value === 'string') return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)])
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value])
  const entries: [number | string, Cbor][] = [...value]
  return Buffer.concat([head(5, entries.length), ...entries.flatMap(([key, each]) => [cbor(key), cbor(each)])])
}

function head(major: number, size: number): Buffer {
  if (size < 24) return Buffer.of((major << 5) | size)
  return size < 256 ? Buffer.of((major << 5) | 24, size) : Buffer.of((major << 5) | 25, size >> 8, size & 255)
}
