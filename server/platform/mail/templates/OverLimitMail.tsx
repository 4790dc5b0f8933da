import type { InterfaceLanguage } from '../../../contracts/languages'
import { mailNumber, mailTexts } from '../texts/mailTexts'
import { Action, Title, Words } from './Action'
import { Layout } from './Layout'

export interface OverLimitMailProps {
  language: InterfaceLanguage
  project: string
  /** as it is now */
  plan: string
  /** what can only be read from now on; `more`: how many have no name here */
  limits: readonly {
    limit: 'chatbots' | 'seats' | 'custom_domains'
    max: number
    names: readonly string[]
    more: number
  }[]
  /** where an owner chooses what stays */
  link: string
}

/** Tells owners what of a project can only be read since its plan or add-ons changed. */
export function OverLimitMail({ language, project, plan, limits, link }: OverLimitMailProps) {
  const texts = mailTexts(language).overLimit
  return (
    <Layout preview={texts.title} lang={language}>
      <Title>{texts.title}</Title>
      <Words>{texts.words(project, plan)}</Words>
      {limits.map(({ limit, max, names, more }) => (
        <Words key={limit}>
          {texts[limit](mailNumber(language, max))}{' '}
          <strong>{[...names, ...(more > 0 ? [texts.more(mailNumber(language, more))] : [])].join(', ')}</strong>
        </Words>
      ))}
      <Action href={link} language={language}>
        {texts.action}
      </Action>
    </Layout>
  )
}
