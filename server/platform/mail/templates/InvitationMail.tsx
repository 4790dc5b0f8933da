import { Action, Title, Words } from './Action'
import { Layout } from './Layout'

export interface InvitationMailProps {
  inviter: string
  project: string
  roles: readonly string[]
  /** a day */
  expires: string
  /** null: the reader of this copy must not see it */
  link: string | null
}

/** Invites somebody to a project. */
export function InvitationMail({ inviter, project, roles, expires, link }: InvitationMailProps) {
  return (
    <Layout preview={`${inviter} invited you to ${project}.`}>
      <Title>
        {inviter} invited you to {project}
      </Title>
      <Words>
        You can build chatbots together in Parley. You will join as: <strong>{roles.join(', ')}</strong>.
      </Words>
      {link === null ? (
        <Words>The link is only in the email itself. To get one to copy, use “Send again” in Members.</Words>
      ) : (
        <Action href={link}>Accept invitation</Action>
      )}
      <Words>The link works once and expires on {expires}. If you did not expect this email, you can ignore it.</Words>
    </Layout>
  )
}
