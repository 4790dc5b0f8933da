import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { type ParsedMail, simpleParser } from 'mailparser'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'

export interface MailServer {
  port: number
  /** what arrived, as a mail program reads it */
  mails: ParsedMail[]
  /** what arrived, as it is */
  sources: string[]
  /** who each was for, as the server was told (blind copies too) */
  envelopes: { from: string; to: string[] }[]
  close(): Promise<void>
}

/** A real mail server on a free port of this machine; without options it takes every mail from everybody, without TLS. */
export async function startMailServer(options: SMTPServerOptions = {}): Promise<MailServer> {
  const mails: ParsedMail[] = []
  const sources: string[] = []
  const envelopes: MailServer['envelopes'] = []
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    logger: false,
    ...options,
    onData(stream, session, done) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', async () => {
        const source = Buffer.concat(chunks).toString('utf8')
        const { mailFrom, rcptTo } = session.envelope
        sources.push(source)
        envelopes.push({ from: mailFrom ? mailFrom.address : '', to: rcptTo.map(({ address }) => address) })
        mails.push(await simpleParser(source))
        done()
      })
    },
  })
  // a client that goes away in the middle is no failure of the server
  server.on('error', () => undefined)
  server.listen(0, '127.0.0.1')
  await once(server.server, 'listening')
  return {
    port: (server.server.address() as AddressInfo).port,
    mails,
    sources,
    envelopes,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
}

/** A refusal with an answer code, as SMTP servers give it. */
export const refusal = (code: number, message: string): Error & { responseCode: number } =>
  Object.assign(new Error(message), { responseCode: code })
