import { Action, Title, Words } from './Action'
import { Layout } from './Layout'

export interface PasswordChangedMailProps {
  name: string
  /** where a new password is requested */
  link: string
}

/** Notifies somebody of a password change, in case it was not them. */
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
