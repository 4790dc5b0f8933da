import type { FastifyInstance } from 'fastify'
import { languageOf } from '../../../access/languageOf'
import { registerRoute } from '../../../access/register'
import { finishReset, lookAtReset, requestReset } from '../../../contracts/password-reset'
import type { ServerContext } from '../../../platform/context'
import { ApiError } from '../../../platform/errors'
import { callerAddress } from '../../../platform/http/callerAddress'
import { createAccountMailer } from '../../../platform/mail/accountMail'
import { mailTexts } from '../../../platform/mail/texts/mailTexts'
import { hashPassword } from '../../../platform/passwords'
import type { Documents } from '../../flows/collab/documents'
import { createBackground } from '../auth/background'
import { refuseCommonPassword } from '../auth/commonPasswords'
import { forgetDevices, rememberDevice } from '../auth/knownDevices'
import { claimReset, issueReset, lookAtToken, wantOpenToken } from './tokens'

/** Requests per minute: of one account from one address, and from one address over all accounts. */
const REQUESTS = 3
const REQUESTS_OF_ADDRESS = 20
/** Per hour and account, whoever requests them: prevents flooding a mailbox. */
const LINKS = 5
const HOUR = 60 * 60 * 1000

export function registerPasswordReset(app: FastifyInstance, context: ServerContext, documents: Documents): void {
  const { db, clock, config, limits, print } = context
  const ofAccount = limits.attempts('resets of an account and address', REQUESTS)
  const ofAddress = limits.attempts('resets of an address', REQUESTS_OF_ADDRESS)
  const links = limits.attempts('links to reset', LINKS, HOUR)
  const mail = createAccountMailer(context)
  const inBackground = createBackground(app, context, 'a reset could not be sent')

  registerRoute(app, context, requestReset, async ({ body, request }) => {
    const email = body.email.toLowerCase()
    await ofAddress.take(callerAddress(request.ip))
    await ofAccount.take(`${email} ${callerAddress(request.ip)}`)
    inBackground(sendLink(email))
    return { by_mail: mail !== null }
  })

  registerRoute(app, context, lookAtReset, ({ body }) => lookAtToken(db, body.token, clock()))

  registerRoute(app, context, finishReset, async ({ body, request, reply }) => {
    const { token, password, delete_api_keys } = body
    await refuseCommonPassword(password)
    // hashing is expensive: first check whether the link is valid
    await wantOpenToken(db, token, clock())
    const password_hash = await hashPassword(password)
    const user = await db.transaction().execute(async (trx) => {
      const id = await claimReset(trx, token, clock())
      // the hash first: a concurrent login with the old one opens its session before this, or not at all
      const row = await trx
        .updateTable('users')
        .set({ password_hash })
        .where('id', '=', id)
        .returning(['id', 'email', 'first_name'])
        .executeTakeFirstOrThrow()
      await trx.deleteFrom('sessions').where('user_id', '=', id).execute()
      await forgetDevices(trx, id)
      // in all projects: the account may have been taken over
      if (delete_api_keys) await trx.deleteFrom('api_keys').where('user_id', '=', id).execute()
      return row
    })
    documents.rightsChanged(user.id)
    // the reader of the account's mail is its owner: an attacker's failures must not lock this browser out
    await rememberDevice(context, request, reply, user.id)
    const language = await languageOf(db, user.email)
    const told = {
      ...({ template: 'password-changed', language } as const),
      ...{ name: user.first_name, link: `${config.publicUrl}/reset` },
    }
    if (mail) inBackground(mail(user.email, mailTexts(language).passwordChanged.title, told))
    return { email: user.email }
  })

  async function sendLink(email: string): Promise<void> {
    const user = await db.selectFrom('users').select(['id', 'first_name']).where('email', '=', email).executeTakeFirst()
    if (!user || !(await isFew(email))) return
    const link = `${config.publicUrl}/reset/${await issueReset(db, user.id, clock())}`
    const language = await languageOf(db, email)
    const body = { template: 'reset', language, name: user.first_name, link } as const
    if (mail) await mail(email, mailTexts(language).reset.title, body)
    else print(`A new password for ${email}, within an hour: ${link}`)
  }

  async function isFew(email: string): Promise<boolean> {
    try {
      await links.take(email)
      return true
    } catch (error) {
      if (error instanceof ApiError) return false
      throw error
    }
  }
}
