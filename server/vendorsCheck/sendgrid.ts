import { createSendgrid } from '../platform/mail/sendgrid'
import type { Delivery, OutgoingMail } from '../platform/mail/smtp'
import type { VendorCheck } from './vendorCheck'

/** SendGrid, by the key with which Parley sends. */
export const sendgridCheck: VendorCheck = {
  name: 'SendGrid',
  variables: [
    { name: 'SENDGRID_API_KEY', what: 'a key with the permission “Mail Send”', isSecret: true },
    { name: 'MAIL_FROM', what: 'the sender, whose address or domain is verified at SendGrid' },
    { name: 'SENDGRID_CHECK_TO', what: 'an address of yours, which gets the mail' },
  ],
  writes: 'one mail to the address of SENDGRID_CHECK_TO',
  async open(means) {
    const { sendgrid, mailFrom } = means.config
    if (!sendgrid) throw new Error('SENDGRID_API_KEY is not set')
    const settings = { ...sendgrid, mailFrom }

    return {
      account: `who owns the key; mails are from ${mailFrom.address}`,
      async run({ report, mark }) {
        const text = `A check of Parley. ${mark}`
        const mail: OutgoingMail = {
          to: [means.value('SENDGRID_CHECK_TO')],
          cc: [],
          bcc: [],
          replyTo: [],
          fromName: '',
          subject: mark,
          messageId: `<${mark}@${mailFrom.address.split('@')[1]}>`,
          text,
          html: `<p>${text}</p>`,
        }
        const send = (by: typeof settings, sent = mail): Promise<Delivery> =>
          createSendgrid(by, means.clock)(sent, new AbortController().signal)
        const reasonOf = (delivery: Delivery) => (delivery.ok ? 'it was sent' : delivery.reason)
        const refusedFor = (remedy: string) => async (by: typeof settings) => {
          const delivery = await send(by)
          return {
            seen: reasonOf(delivery),
            holds: !delivery.ok && !delivery.transient && delivery.reason.includes(remedy),
          }
        }

        await report.see('a mail is taken', 'yes', async () => {
          const delivery = await send(settings)
          return { seen: delivery.ok ? 'yes' : delivery.reason, holds: delivery.ok }
        })
        await report.see('a sender that is not verified', 'refused, naming MAIL_FROM', () =>
          refusedFor('MAIL_FROM')({ ...settings, mailFrom: { name: '', address: 'parley@sender.invalid' } }),
        )
        await report.see('a key that is none', 'refused, naming SENDGRID_API_KEY', () =>
          refusedFor('SENDGRID_API_KEY')({ ...settings, apiKey: 'SG.not.a-key' }),
        )
      },
    }
  },
}
