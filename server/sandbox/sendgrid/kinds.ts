import type { RecordKind } from '../pages/records'
import { refuseSendgrid } from './errors'
import type { EventName, SendgridState, SentMail } from './state'

/** What became of a mail, as a person decides it here. */
const EVENTS: readonly (readonly [EventName, string])[] = [
  ['bounce', 'Let it bounce'],
  ['open', 'Open it'],
  ['click', 'Click a link'],
  ['spamreport', 'Report as spam'],
]

/** @returns a page of mails that were sent, and one of senders that may send them */
export function sendgridKinds(state: SendgridState, tell: (mail: SentMail, event: EventName) => void): RecordKind[] {
  const mailOf = (id: string): SentMail => {
    const found = state.mails[Number(id)]
    if (!found) throw refuseSendgrid(404, 'This mail is no longer there.')
    return found
  }
  return [
    {
      key: 'mails',
      title: 'Mails',
      columns: [
        { name: 'to', label: 'To', isFixed: true },
        { name: 'from', label: 'From', isFixed: true },
        { name: 'subject', label: 'Subject', isFixed: true },
        { name: 'text', label: 'Text', isFixed: true },
        { name: 'state', label: 'State', isFixed: true },
      ],
      empty: 'No mail was sent yet. Nothing leaves this machine.',
      rows: () =>
        state.mails.map((mail, at) => ({
          id: String(at),
          values: {
            to: mail.to.map(({ email }) => email).join(', '),
            from: mail.from.email,
            subject: mail.subject,
            text: mail.contents.find(({ type }) => type === 'text/plain')?.value ?? mail.contents[0]?.value ?? '',
            state: mail.state ?? '',
          },
        })),
      actions: EVENTS.map(([name, label]) => ({ name, label, run: (id) => tell(mailOf(id), name) })),
    },
    {
      key: 'senders',
      title: 'Senders',
      columns: [{ name: 'sender', label: 'An address, or a domain as @example.com' }],
      empty: 'Nobody may send mails.',
      rows: () => state.senders.map((sender) => ({ id: sender, values: { sender } })),
      add({ sender = '' }) {
        const added = sender.trim().toLowerCase()
        if (!/^[^\s@]*@[^\s@]+$/.test(added))
          throw refuseSendgrid(400, `“${sender}” is neither an address nor a domain: write it as @example.com.`)
        if (!state.senders.includes(added)) state.senders.push(added)
      },
      remove(id) {
        state.senders = state.senders.filter((sender) => sender !== id)
      },
    },
  ]
}
