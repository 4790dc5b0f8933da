import { Action, Title, Words } from './Action'
import { Layout } from './Layout'

export interface ResetMailProps {
  name: string
  link: string
}

/** Lets somebody who forgot the password set a new one. */
export function ResetMail({ name, link }: ResetMailProps) {
  return (
    <Layout preview="Set a new password for Parley.">
      <Title>Set a new password</Title>
      <Words>Hello {name}, someone asked to reset your password.</Words>
      <Action href={link}>Set a new password</Action>
      <Words>
        The link works once and expires in an hour. If this wasn’t you, you can ignore this email: your password stays
        the same.
      </Words>
    </Layout>
  )
}
