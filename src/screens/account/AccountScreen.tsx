import { useTranslation } from 'react-i18next'
import { PageHeader } from '../../ui/PageHeader'
import { SettingsStack } from '../../ui/SettingsStack'
import { DataCard } from './DataCard'
import { DeleteAccount } from './DeleteAccount'
import { EmailCard } from './EmailCard'
import { LanguageCard } from './LanguageCard'
import { NameCard } from './NameCard'
import { PasskeysCard } from './PasskeysCard'
import { PasswordCard } from './PasswordCard'
import { PictureCard } from './PictureCard'
import { SessionsCard } from './SessionsCard'
import { TwoFactorCard } from './TwoFactorCard'

/** /settings/account: one's own account, independent of projects. */
export function AccountScreen() {
  const { t } = useTranslation('account')
  return (
    <>
      <PageHeader title={t('title')} />
      <SettingsStack>
        <NameCard />
        <PictureCard />
        <EmailCard />
        <LanguageCard />
        <PasswordCard />
        <TwoFactorCard />
        <PasskeysCard />
        <SessionsCard />
        <DataCard />
        <DeleteAccount />
      </SettingsStack>
    </>
  )
}
