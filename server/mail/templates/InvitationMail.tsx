import { Action, Title, Words } from './Action'
import { Layout } from './Layout'

export interface InvitationMailProps {
  inviter: string
  project: string
  roles: readonly string[]
  /** a day */
  expires: string
  /** null: not for the eyes of who reads this copy */
  link: string | null
}

/** Asks somebody into a project. */
export function InvitationMail({ inviter, project, roles, expires, link }: InvitationMailProps) {
  return (
    <Layout preview={`${inviter} invites you to ${project}.`}>
      <Title>
        {inviter} invites you to {project}
      </Title>
      <Words>
        Parley is where chatbots are designed together. You are invited as: <strong>{roles.join(', ')}</strong>.
      </Words>
      {link === null ? (
        <Words>The link stands in the mail itself, and here for nobody. Members, Send again makes one to copy.</Words>
      ) : (
        <Action href={link}>Accept the invitation</Action>
      )}
      <Words>
        The link works once, until {expires}. If you don’t know what this is about, you can ignore this mail.
      </Words>
    </Layout>
  )
}
