import { Action, Title, Words } from './Action'
import { Layout } from './Layout'

export interface ResetMailProps {
  name: string
  link: string
}

/** Lets somebody set a new password who has forgotten his. */
export function ResetMail({ name, link }: ResetMailProps) {
  return (
    <Layout preview="Set a new password for Parley.">
      <Title>Set a new password</Title>
      <Words>Hello {name}, somebody asked for a new password for your account.</Words>
      <Action href={link}>Set a new password</Action>
      <Words>
        The link works once, for an hour. If it wasn’t you, you can ignore this mail: your password stays as it is.
      </Words>
    </Layout>
  )
}
