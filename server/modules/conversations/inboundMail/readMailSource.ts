import { type AddressObject, type ParsedMail, simpleParser } from 'mailparser'
import { caps } from '../../../../engine/values/caps'
import { cleanText } from '../../../../engine/values/cleanText'
import { withoutQuotes } from './withoutQuotes'

/** A mail that came in, as far as it is of use. */
export interface InboundSource {
  messageId: string | null
  /** the sender's address, in lower case */
  from: string | null
  subject: string
  /** all addresses that it went to */
  to: string[]
  /** Message-IDs that it answers, the nearest last */
  before: string[]
  /** what its writer says, without what is quoted */
  text: string
  files: { name: string; bytes: Uint8Array }[]
  /** why it is no person's message: an automatic reply, a mail server's report, a mailing list; null: it may be one */
  automatic: string | null
}

/** Most files of a mail, and characters of an address or a subject that are kept. */
const MOST_FILES = 10
const MOST_CHARACTERS = 500
const MOST_ADDRESSES = 50
const MOST_BEFORE = 50
const MOST_HEADER = 5_000

/** Reads a mail's source (RFC 5322). Runs in a thread: what comes in is anybody's. */
export async function readMailSource(source: Uint8Array): Promise<InboundSource> {
  const mail = await simpleParser(Buffer.from(source), {
    skipImageLinks: true,
    skipTextToHtml: true,
    skipTextLinks: true,
    maxHtmlLengthToParse: 1_000_000,
  })
  const text = withoutQuotes(cleanText(mail.text ?? ''))
  return {
    messageId: mail.messageId ? short(mail.messageId) : null,
    from: mail.from?.value[0]?.address?.toLowerCase().slice(0, MOST_CHARACTERS) ?? null,
    subject: short(mail.subject ?? ''),
    to: addressesOf(mail),
    before: [...listOf(mail.references), ...listOf(mail.inReplyTo)].slice(-MOST_BEFORE),
    text: text.slice(0, caps.userMessage),
    files: mail.attachments
      // pictures of signatures and logos are in the text
      .filter(({ related, contentDisposition }) => !related && contentDisposition !== 'inline')
      .slice(0, MOST_FILES)
      .map(({ filename, content }) => ({ name: filename ?? '', bytes: new Uint8Array(content) })),
    automatic: automaticReason(mail),
  }
}

const short = (text: string): string => cleanText(text).replace(/\s+/g, ' ').trim().slice(0, MOST_CHARACTERS)

const listOf = (ids: string | string[] | undefined): string[] =>
  (Array.isArray(ids) ? ids : [ids ?? '']).flatMap((text) => text.match(/<[^<>\s]{1,400}>/g) ?? [])

function addressesOf(mail: ParsedMail): string[] {
  const fields = [mail.to, mail.cc].flat().filter((field): field is AddressObject => field !== undefined)
  const named = fields.flatMap(({ value }) => value.map(({ address }) => address ?? ''))
  // where a server has noted whom it was delivered to, as after forwarding
  const noted = ['delivered-to', 'x-original-to', 'envelope-to', 'x-forwarded-to'].flatMap(
    (name) => headerOf(mail, name).match(/[^\s<>,;"]+@[^\s<>,;"]+/g) ?? [],
  )
  return [...named, ...noted].map((address) => address.toLowerCase()).slice(0, MOST_ADDRESSES)
}

/** A header's text; several of a name hang together. */
const headerOf = ({ headerLines }: ParsedMail, name: string): string =>
  headerLines
    .filter(({ key }) => key === name)
    .map(({ line }) => line.slice(line.indexOf(':') + 1).trim())
    .join(' ')
    .slice(0, MOST_HEADER)

/** RFC 3834, and what mail servers do besides. */
function automaticReason(mail: ParsedMail): string | null {
  const said = (name: string) => headerOf(mail, name).toLowerCase()
  const from = mail.from?.value[0]?.address?.toLowerCase() ?? ''
  if (/multipart\/report|delivery-status/.test(said('content-type')) || said('return-path') === '<>')
    return 'A report of a mail server'
  if (/^(?:mailer-daemon|postmaster)@/.test(from)) return 'A report of a mail server'
  const submitted = said('auto-submitted')
  if ((submitted && submitted !== 'no') || said('x-autoreply') || said('x-autorespond')) return 'An automatic reply'
  if (/^(?:auto_reply|bulk|junk|list)/.test(said('precedence'))) return 'An automatic reply, or a mailing list'
  if (said('list-id') || said('list-unsubscribe')) return 'A mailing list'
  if (/^(?:no-?reply|do-?not-?reply)@/.test(from)) return 'An automatic reply'
  return null
}
