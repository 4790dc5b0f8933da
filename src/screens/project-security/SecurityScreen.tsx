import { useTranslation } from 'react-i18next'
import { useAccount, useCan } from '../../api/account'
import { ROLE } from '../../api/roles'
import { Button } from '../../ui/Button'
import { Card } from '../../ui/Card'
import { PageHeader } from '../../ui/PageHeader'
import { ReadOnlyNotice } from '../../ui/ReadOnlyNotice'
import { SettingsStack } from '../../ui/SettingsStack'
import { AllowedAddresses } from './AllowedAddresses'
import { Networks } from './Networks'
import { SingleSignOn } from './single-sign-on/SingleSignOn'
import { TwoFactorRule } from './TwoFactorRule'

/** /settings/project/security: who can open the project, how they sign in, and what it may reach. */
export function SecurityScreen() {
  const { t } = useTranslation('security')
  const { project, project_roles } = useAccount().user
  const seesAudit = useCan('project.audit')
  if (!project) return null
  const { gid } = project
  return (
    <>
      <PageHeader title={t('title')} description={t('description')} />
      <SettingsStack key={gid}>
        {!project_roles.includes(ROLE.OWNER) && <ReadOnlyNotice>{t('readOnly')}</ReadOnlyNotice>}
        <TwoFactorRule pgid={gid} />
        <SingleSignOn pgid={gid} />
        <AllowedAddresses pgid={gid} />
        <Networks pgid={gid} />
        {seesAudit && (
          <Card
            title={t('audit.title')}
            description={t('audit.description')}
            actions={<Button to={`/projects/${gid}/settings/project/audit-log`}>{t('audit.open')}</Button>}
          />
        )}
      </SettingsStack>
    </>
  )
}
