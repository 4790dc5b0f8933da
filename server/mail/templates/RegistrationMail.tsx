import { Action, Title, Words } from './Action'
import { Layout } from './Layout'

export interface RegistrationMailProps {
  link: string
  /** there is an account with this address already, and the link leads to the login page */
  known: boolean
}

/** Follows from somebody's wish to register an address: only whoever reads its mail learns whether it has an account. */
export function RegistrationMail({ link, known }: RegistrationMailProps) {
  const title = known ? 'You have an account already' : 'Create your account'
  return (
    <Layout preview={known ? 'Log in to Parley.' : 'Create your account for Parley.'}>
      <Title>{title}</Title>
      <Words>Hello, somebody asked for a Parley account with this address.</Words>
      {known && <Words>There is one already, so nothing was changed. If you forgot its password, set a new one.</Words>}
      <Action href={link}>{known ? 'Log in' : 'Create your account'}</Action>
      {known ? (
        <Words>If it wasn’t you, you can ignore this mail.</Words>
      ) : (
        <Words>The link works once, for an hour. If it wasn’t you, you can ignore this mail: no account is made.</Words>
      )}
    </Layout>
  )
}
