import type { InterfaceLanguage } from '../../../contracts/languages'
import { mailTexts } from '../texts/mailTexts'
import { Action, Title, Words } from './Action'
import { Layout } from './Layout'

export interface SecurityMailProps {
  language: InterfaceLanguage
  name: string
  what:
    | 'newBrowser'
    | 'twoFactorOn'
    | 'twoFactorOff'
    | 'twoFactorOffByOperator'
    | 'recoveryCodeUsed'
    | 'recoveryCodesRenewed'
    | 'passkeyAdded'
    | 'passkeyRemoved'
    | 'passkeyCopied'
  /** a browser and its system; empty: unknown */
  device: string
  address: string
  time: string
  /** where to look, or to set a new password */
  link: string
}

/** Tells somebody of a log-in in a new browser, or of a change to how they log in. */
export function SecurityMail({ language, name, what, device, address, time, link }: SecurityMailProps) {
  const { security } = mailTexts(language)
  const { title, words } = security[what]
  return (
    <Layout preview={title} lang={language}>
      <Title>{title}</Title>
      <Words>{words(name)}</Words>
      <Words>{security.where(device, address, time)}</Words>
      <Words>{what === 'newBrowser' ? security.notYouLogin : security.notYou}</Words>
      <Action href={link} language={language}>
        {what === 'newBrowser' ? security.newPassword : security.look}
      </Action>
    </Layout>
  )
}
