import { useTranslation } from 'react-i18next'
import { useOperatorNotice } from '../../api/admin'
import { NotFound } from '../../app/StatusScreens'
import { LoadingState } from '../../ui/LoadingState'
import { PageHeader } from '../../ui/PageHeader'
import { Tabs } from '../../ui/Tabs'
import { ActionsTab } from './ActionsTab'
import styles from './admin.module.css'
import { JobsTab } from './JobsTab'
import { OverviewTab } from './OverviewTab'
import { PeopleTab } from './PeopleTab'
import { ProjectsTab } from './ProjectsTab'

const parts = [
  ['overview', OverviewTab],
  ['jobs', JobsTab],
  ['projects', ProjectsTab],
  ['people', PeopleTab],
  ['actions', ActionsTab],
] as const

/** /admin: the whole installation, for who runs it. For others there is no such page. */
export function AdminScreen() {
  const { t } = useTranslation('admin')
  const notice = useOperatorNotice()
  if (!notice) return <LoadingState rows={4} />
  if (!notice.operator) return <NotFound inside />
  return (
    <>
      <PageHeader title={t('title')} description={t('description')} />
      <Tabs defaultValue="overview" keepMounted={false}>
        <Tabs.List className={styles.tabs}>
          {parts.map(([name]) => (
            <Tabs.Tab key={name} value={name}>
              {t(`tabs.${name}`)}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {parts.map(([name, Part]) => (
          <Tabs.Panel key={name} value={name} className={styles.panel}>
            <Part />
          </Tabs.Panel>
        ))}
      </Tabs>
    </>
  )
}
