import { Action, Title, Words } from './Action'
import { Layout } from './Layout'

export interface RegistrationMailProps {
  link: string
  /** an account with this address exists, and the link leads to the login page */
  known: boolean
}

/** Sent when somebody registers an address: only the reader of its mailbox learns whether it has an account. */
export function RegistrationMail({ link, known }: RegistrationMailProps) {
  const title = known ? 'You already have an account' : 'Create your account'
  return (
    <Layout preview={known ? 'Log in to Parley.' : 'Create your account for Parley.'}>
      <Title>{title}</Title>
      <Words>Hello, someone asked for a Parley account with this email address.</Words>
      {known && <Words>There already is one, so nothing was changed. If you forgot your password, reset it.</Words>}
      <Action href={link}>{known ? 'Log in' : 'Create your account'}</Action>
      {known ? (
        <Words>If this wasn’t you, you can ignore this email.</Words>
      ) : (
        <Words>
          The link works once and expires in an hour. If this wasn’t you, you can ignore this email: no account is
          created.
        </Words>
      )}
    </Layout>
  )
}
