import type { InterfaceLanguage } from '../../../contracts/languages'
import { mailNumber, mailTexts } from '../texts/mailTexts'
import { Action, Title, Words } from './Action'
import { Layout } from './Layout'

export interface CreditsMailProps {
  language: InterfaceLanguage
  project: string
  /** in per cent of the month's credits */
  threshold: number
  used: number
  max: number
  plan: string
  /** YYYY-MM-DD: when the next month's credits start */
  renewed: string
  link: string
}

/** Tells a project's administrators how much of the month's AI credits is used. */
export function CreditsMail({ language, project, threshold, used, max, plan, renewed, link }: CreditsMailProps) {
  const texts = mailTexts(language)
  const title = texts.credits.title(threshold)
  const number = (value: number) => mailNumber(language, value)
  return (
    <Layout preview={title} lang={language}>
      <Title>{title}</Title>
      <Words>{texts.credits.used({ project, used: number(used), max: number(max), plan, renewed })}</Words>
      <Words>{threshold >= 100 ? texts.credits.over : texts.credits.soon}</Words>
      <Action href={link} language={language}>
        {texts.openProject}
      </Action>
    </Layout>
  )
}
