import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { SMTPServer } from 'smtp-server'

/** A call that came: what it was for, under which key, and in which life of the app that made it. */
export interface Receipt {
  /** the path that was asked, or `mail` */
  step: string
  word: string
  key: string
  life: number
}

/** What happens at a receiver, as it happens. A call whose `received` is answered with true is never answered. */
export type Moment = 'received' | 'answered' | 'mail-begun' | 'mail-received' | 'mail-answered'

/**
 * A web server and a mail server that keep every call in the order of their coming. A life is over (`nextLife`) once the connections
 * of the app that was killed are gone, so that what it had sent last counts as its own.
 */
export async function startReceivers(happened: (moment: Moment) => boolean) {
  const receipts: Receipt[] = []
  const open = new Set<Socket>()
  const closed = new Map<Socket, Promise<unknown>>()
  let life = 0
  const keep = (socket: Socket): void => {
    open.add(socket)
    closed.set(socket, new Promise((resolve) => socket.once('close', resolve)))
    socket.once('close', () => {
      open.delete(socket)
      closed.delete(socket)
    })
  }

  const answer = (response: ServerResponse, number: number): void => {
    response.setHeader('content-type', 'application/json').end(String(number), () => happened('answered'))
  }
  const web = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    try {
      for await (const chunk of request) chunks.push(chunk as Buffer)
    } catch {
      // The app was killed while it was asking: nothing came, nothing counts.
      return
    }
    const key = String(request.headers['idempotency-key'])
    receipts.push({ step: (request.url ?? '').slice(1), word: Buffer.concat(chunks).toString(), key, life })
    const number = receipts.length
    if (!happened('received')) answer(response, number)
  })
  web.on('connection', keep)
  web.listen(0, '127.0.0.1')
  await once(web, 'listening')

  const header = (source: string, name: string): string =>
    new RegExp(`^${name}: *(.*)$`, 'im').exec(source)?.[1]?.trim() ?? ''
  const mail = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    logger: false,
    onData(stream, _session, done) {
      happened('mail-begun')
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        const source = Buffer.concat(chunks).toString()
        receipts.push({ step: 'mail', word: header(source, 'Subject'), key: header(source, 'Message-ID'), life })
        if (happened('mail-received')) return
        done()
        happened('mail-answered')
      })
    },
  })
  mail.on('error', () => undefined)
  mail.server.on('connection', keep)
  mail.listen(0, '127.0.0.1')
  await once(mail.server, 'listening')

  return {
    webUrl: `http://127.0.0.1:${(web.address() as AddressInfo).port}`,
    smtpUrl: `smtp://127.0.0.1:${(mail.server.address() as AddressInfo).port}`,
    receipts,
    /** once the app of this life is dead */
    async nextLife() {
      await Promise.all(closed.values())
      life += 1
    },
    close() {
      for (const socket of open) socket.destroy()
      web.close()
      mail.close(() => undefined)
    },
  }
}
