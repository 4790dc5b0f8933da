import type { FastifyInstance, FastifyRequest } from 'fastify'
import { languageOf } from '../../../access/languageOf'
import { deviceOf } from '../../../contracts/device'
import type { ServerContext } from '../../../platform/context'
import { createAccountMailer } from '../../../platform/mail/accountMail'
import type { SecurityMailProps } from '../../../platform/mail/templates/SecurityMail'
import { mailTexts } from '../../../platform/mail/texts/mailTexts'
import { createBackground } from './background'

/**
 * Creates what tells people by mail of a change to how they log in, and of a log-in in a new browser: from where it
 * was done, in case it was not them. Without a mail server nobody is told.
 */
export function createTellPerson(app: FastifyInstance, context: ServerContext) {
  const { db, clock, config } = context
  const mail = createAccountMailer(context)
  const inBackground = createBackground(app, context, 'a mail about a log-in could not be sent')

  async function send(
    { email, first_name }: { email: string; first_name: string },
    what: SecurityMailProps['what'],
    request: FastifyRequest,
  ): Promise<void> {
    const language = await languageOf(db, email)
    const { browser, system } = deviceOf(String(request.headers['user-agent'] ?? '').slice(0, 300))
    const moment = new Intl.DateTimeFormat(language, { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' })
    await mail?.(email, mailTexts(language).security[what].title, {
      ...({ template: 'security', language, name: first_name, what } as const),
      device: [browser, system].filter(Boolean).join(', '),
      address: request.ip,
      time: `${moment.format(clock())} UTC`,
      link: `${config.publicUrl}/${what === 'newBrowser' ? 'reset' : 'account'}`,
    })
  }

  return (...told: Parameters<typeof send>): void => {
    if (mail) inBackground(send(...told))
  }
}
export type TellPerson = ReturnType<typeof createTellPerson>
