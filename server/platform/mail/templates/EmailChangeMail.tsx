import { Action, Title, Words } from './Action'
import { Layout } from './Layout'

export interface EmailChangeMailProps {
  name: string
  /** to the new address: the link that confirms it; to the old one: where the password is reset */
  link: string
  /** the new address, in the mail to the old one; null in the mail to the new one */
  changedTo: string | null
}

/** Asks to confirm an account's new address; and tells the old one after the change. */
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
