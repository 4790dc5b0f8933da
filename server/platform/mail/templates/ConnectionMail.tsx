import type { InterfaceLanguage } from '../../../contracts/languages'
import { mailTexts } from '../texts/mailTexts'
import { Action, Title, Words } from './Action'
import { Layout } from './Layout'

export interface ConnectionMailProps {
  language: InterfaceLanguage
  project: string
  vendor: string
  /** the account at the vendor */
  account: string
  link: string
}

/** Tells that a vendor lets a project in no more. */
export function ConnectionMail({ language, project, vendor, account, link }: ConnectionMailProps) {
  const texts = mailTexts(language).connection
  const title = texts.title(vendor)
  return (
    <Layout preview={title} lang={language}>
      <Title>{title}</Title>
      <Words>{texts.words(vendor, project, account)}</Words>
      <Words>{texts.until}</Words>
      <Action href={link} language={language}>
        {texts.open}
      </Action>
    </Layout>
  )
}
