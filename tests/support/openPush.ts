import { createDecipheriv, createECDH, hkdfSync, randomBytes } from 'node:crypto'

const info = (text: string, ...more: Buffer[]) => Buffer.concat([Buffer.from(`${text}\0`), ...more])

/** A browser that pushes are for: its keys, and how it reads what it is sent (RFC 8291 over RFC 8188). */
export function createPushReceiver() {
  const own = createECDH('prime256v1')
  own.generateKeys()
  const auth = randomBytes(16)
  return {
    keys: { p256dh: own.getPublicKey('base64url'), auth: auth.toString('base64url') },
    /** @param body salt (16), record size (4), length of the sender's key (1), that key, and the record */
    open(body: Buffer): string {
      const salt = body.subarray(0, 16)
      const end = 21 + (body[20] ?? 0)
      const sender = body.subarray(21, end)
      const shared = own.computeSecret(sender)
      const secret = hkdfSync('sha256', shared, auth, info('WebPush: info', own.getPublicKey(), sender), 32)
      const key = hkdfSync('sha256', new Uint8Array(secret), salt, info('Content-Encoding: aes128gcm'), 16)
      const nonce = hkdfSync('sha256', new Uint8Array(secret), salt, info('Content-Encoding: nonce'), 12)
      const decipher = createDecipheriv('aes-128-gcm', new Uint8Array(key), new Uint8Array(nonce))
      decipher.setAuthTag(body.subarray(-16))
      const text = Buffer.concat([decipher.update(body.subarray(end, -16)), decipher.final()]).toString()
      // what follows the text: a 2, and padding
      return text.slice(0, text.lastIndexOf('\u0002'))
    },
  }
}
