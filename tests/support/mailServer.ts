import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { type ParsedMail, simpleParser } from 'mailparser'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import { vi } from 'vitest'

export interface MailServer {
  port: number
  /** received mails, parsed */
  mails: ParsedMail[]
  /** received mails, raw */
  sources: string[]
  /** envelopes, which include blind copies */
  envelopes: { from: string; to: string[] }[]
  close(): Promise<void>
}

/** A real mail server on a free port; without options it accepts every mail, without TLS. */
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
        const mail = await simpleParser(source)
        // all three at once: of two mails that come together each is at the same place in all
        sources.push(source)
        envelopes.push({ from: mailFrom ? mailFrom.address : '', to: rcptTo.map(({ address }) => address) })
        mails.push(mail)
        done()
      })
    },
  })
  // a client that disconnects is no failure of the server
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

/** The first mail with this subject to an address, once it has come. */
export const mailTo = ({ mails, envelopes }: MailServer, email: string, title: string): Promise<ParsedMail> =>
  vi.waitFor(
    () => {
      const found = mails.find(({ subject }, at) => subject === title && envelopes[at]?.to.includes(email))
      return found ?? Promise.reject(new Error(`no mail “${title}” yet`))
    },
    { timeout: 10_000 },
  )

/** A refusal with an SMTP reply code. */
export const refusal = (code: number, message: string): Error & { responseCode: number } =>
  Object.assign(new Error(message), { responseCode: code })
