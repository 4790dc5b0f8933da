import { createHash, createHmac } from 'node:crypto'
import { createServer, type IncomingMessage, request } from 'node:http'
import type { AddressInfo } from 'node:net'

/**
 * A server in front of one that speaks S3's protocol, which checks what that one takes on trust: signatures of version
 * 4 in headers and addresses (AWS, "Signature Calculations"), their age, and the hash of a body.
 */
export async function checkSignatures(behind: URL, key: { id: string; secret: string }) {
  const server = createServer(async (incoming, answer) => {
    const parts: Buffer[] = []
    for await (const part of incoming) parts.push(part as Buffer)
    const body = Buffer.concat(parts)
    if (!isSigned(incoming, body, key))
      return answer.writeHead(403).end('<Error><Code>SignatureDoesNotMatch</Code></Error>')
    const { method, headers, url: path } = incoming
    const passed = request({ host: behind.hostname, port: behind.port, method, headers, path }, (from) => {
      answer.writeHead(from.statusCode ?? 500, from.headers)
      from.pipe(answer)
    })
    passed.end(body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => {
      const closed = new Promise((resolve) => server.close(resolve))
      // ours keep their connections for the next call
      server.closeAllConnections()
      return closed
    },
  }
}

const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest('hex')
const mac = (secret: string | Buffer, text: string) => createHmac('sha256', secret).update(text).digest()
const encoded = (text: string) =>
  encodeURIComponent(text).replace(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`)

function isSigned(incoming: IncomingMessage, body: Buffer, key: { id: string; secret: string }): boolean {
  const { pathname, searchParams } = new URL(incoming.url ?? '', 'http://any')
  const inHeader = /Credential=([^,]+), SignedHeaders=([^,]+), Signature=(\w+)/.exec(
    incoming.headers.authorization ?? '',
  )
  const given = (name: string) => searchParams.get(`X-Amz-${name}`) ?? ''
  const [credential = '', signedHeaders = '', signature = ''] = inHeader
    ? inHeader.slice(1)
    : [given('Credential'), given('SignedHeaders'), given('Signature')]
  const at = inHeader ? String(incoming.headers['x-amz-date']) : given('Date')
  const [id, ...scope] = credential.split('/')
  const moment = Date.parse(at.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'))
  if (!(Date.now() - moment < (inHeader ? 900 : Number(given('Expires'))) * 1_000)) return false

  const hash = inHeader ? String(incoming.headers['x-amz-content-sha256']) : 'UNSIGNED-PAYLOAD'
  if (hash !== 'UNSIGNED-PAYLOAD' && hash !== sha256(body)) return false
  const query = [...searchParams]
    .filter(([name]) => name !== 'X-Amz-Signature')
    .map(([name, value]) => `${encoded(name)}=${encoded(value)}`)
    .toSorted()
    .join('&')
  const headers = signedHeaders.split(';').map((name) => `${name}:${String(incoming.headers[name] ?? '').trim()}\n`)
  const canonical = [incoming.method, pathname, query, headers.join(''), signedHeaders, hash].join('\n')
  const [day = '', region = '', service = '', end = ''] = scope
  const signing = [day, region, service, end].reduce<string | Buffer>(mac, `AWS4${key.secret}`)
  const text = ['AWS4-HMAC-SHA256', at, scope.join('/'), sha256(canonical)].join('\n')
  return id === key.id && mac(signing, text).toString('hex') === signature
}
