import { Action, Title, Words } from './Action'
import { Layout } from './Layout'

export interface EmailChangeMailProps {
  name: string
  /** to the new address: the link that confirms it; to the one before: where the password is set anew */
  link: string
  /** the new address, told to the one before; null in the mail to the new address itself */
  changedTo: string | null
}

/** Asks the new address of an account to be confirmed; and tells the one before when it was. */
export function EmailChangeMail({ name, link, changedTo }: EmailChangeMailProps) {
  if (changedTo)
    return (
      <Layout preview="The email of your account was changed.">
        <Title>Your email was changed</Title>
        <Words>
          Hello {name}, your account now belongs to {changedTo}. Mails go there from now on.
        </Words>
        <Words>If it wasn’t you, tell the person who runs this installation at once.</Words>
      </Layout>
    )
  return (
    <Layout preview="Confirm your new email.">
      <Title>Confirm your new email</Title>
      <Words>Hello {name}, open this link to use this address for your account:</Words>
      <Action href={link}>Confirm this email</Action>
      <Words>The link works once, for an hour. If it wasn’t you, you can ignore this mail: nothing is changed.</Words>
    </Layout>
  )
}
