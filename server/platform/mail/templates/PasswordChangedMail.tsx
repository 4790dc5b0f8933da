import { Action, Title, Words } from './Action'
import { Layout } from './Layout'

export interface PasswordChangedMailProps {
  name: string
  /** where one asks for a new password */
  link: string
}

/** Tells somebody that his password is another one now, so that he notices when it wasn't him. */
export function PasswordChangedMail({ name, link }: PasswordChangedMailProps) {
  return (
    <Layout preview="Your password was changed.">
      <Title>Your password was changed</Title>
      <Words>Hello {name}, your password was changed, and you were logged out everywhere.</Words>
      <Words>If this wasn’t you, reset it now:</Words>
      <Action href={link}>Set a new password</Action>
    </Layout>
  )
}
