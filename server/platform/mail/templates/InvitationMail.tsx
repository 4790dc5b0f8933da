import type { InterfaceLanguage } from '../../../contracts/languages'
import { mailTexts } from '../texts/mailTexts'
import { Action, Title, Words } from './Action'
import { Layout } from './Layout'

export interface InvitationMailProps {
  language: InterfaceLanguage
  inviter: string
  project: string
  roles: readonly string[]
  /** a day */
  expires: string
  /** null: the reader of this copy must not see it */
  link: string | null
}

/** Invites somebody to a project. */
export function InvitationMail({ language, inviter, project, roles, expires, link }: InvitationMailProps) {
  const texts = mailTexts(language).invitation
  const title = texts.title(inviter, project)
  return (
    <Layout preview={title} lang={language}>
      <Title>{title}</Title>
      <Words>
        {texts.words} <strong>{roles.join(', ')}</strong>.
      </Words>
      {link === null ? (
        <Words>{texts.hidden}</Words>
      ) : (
        <Action href={link} language={language}>
          {texts.accept}
        </Action>
      )}
      <Words>{texts.end(expires)}</Words>
    </Layout>
  )
}
