/** An IMAP server for tests: what of it is used. */
declare module 'hoodiecrow-imap' {
  import type { Server } from 'node:net'

  export interface ImapTestServer {
    server: Server
    listen(port: number, host: string): void
    close(done: () => void): void
    /** adds a mail to a folder */
    appendMessage(folder: string, flags: string[], date: false, source: string): void
  }
  export default function create(options: {
    plugins: string[]
    storage: Record<string, { messages: { raw: string }[] }>
  }): ImapTestServer
}
