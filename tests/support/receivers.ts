import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { SMTPServer } from 'smtp-server'

/** A received call: its step, its key, and which life of the app made it. */
export interface Receipt {
  /** the path, or `mail` */
  step: string
  word: string
  key: string
  life: number
}

/** Moments at a receiver. A call for whose `received` the callback returns true is never answered. */
export type Moment = 'received' | 'answered' | 'mail-begun' | 'mail-received' | 'mail-answered'

/**
 * A web server and a mail server that record every call in order of arrival. A life ends (`nextLife`) when the killed
 * app's connections are closed, so that its last calls still belong to it.
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
      // The app was killed during the call: it does not count.
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
    /** call it after the app of this life has died */
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
