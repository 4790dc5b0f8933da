import type { ProjectCaller } from '../../../access/access'
import { knownLanguage, languageOf } from '../../../access/languageOf'
import { roleNames } from '../../../access/roles'
import { hashToken } from '../../../access/tokens'
import type { SentInvitation } from '../../../contracts/members'
import type { ServerContext } from '../../../platform/context'
import { mailDay, mailTexts } from '../../../platform/mail/texts/mailTexts'
import type { Mailer } from '../../mails/createMailer'
import type { Issued } from './invite'
import { presentInvitation } from './presenter'

/** Concurrent mails: mail servers object to more. */
const AT_ONCE = 5

/** Creates the sender of invitation mails, which also returns the links, for passing them on by hand. */
export function createInvitationSender({ config, clock, db }: ServerContext, mailer: Mailer) {
  async function send({ user, project }: ProjectCaller, { row, token }: Issued): Promise<SentInvitation> {
    const link = `${config.publicUrl}/accept-invite?token=${token}`
    const inviter = `${user.first_name} ${user.last_name}`
    const language = (await knownLanguage(db, row.email)) ?? (await languageOf(db, user.email))
    const body = {
      template: 'invitation',
      language,
      inviter,
      project: project.name,
      roles: row.roles.map((role) => roleNames[role as keyof typeof roleNames]),
      expires: mailDay(language, row.expires_at),
    } as const
    const sent = await mailer({
      projectId: project.id,
      conversationId: null,
      key: `invitation.${row.gid}.${hashToken(token).toString('hex').slice(0, 16)}`,
      purpose: 'invitation',
      fromName: '',
      to: [row.email],
      cc: [],
      bcc: [],
      replyTo: [],
      subject: mailTexts(language).invitation.title(inviter, project.name),
      body: { ...body, link },
      // the link grants access: admins, who read the outbox, must not become owners by it
      keptBody: { ...body, link: null },
    })
    return { invitation: presentInvitation(row, clock()), link, mail: sent.ok ? sent.status : 'failed' }
  }

  return async (caller: ProjectCaller, issued: readonly Issued[]): Promise<SentInvitation[]> => {
    const done: SentInvitation[] = []
    for (let at = 0; at < issued.length; at += AT_ONCE) {
      done.push(...(await Promise.all(issued.slice(at, at + AT_ONCE).map((each) => send(caller, each)))))
    }
    return done
  }
}
