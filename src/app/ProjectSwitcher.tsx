import { Check, ChevronsUpDown, LayoutGrid, Plus } from 'lucide-react'
import { Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useAccount } from '../api/account'
import { projectEntry } from '../api/projects'
import { CreateProject } from '../projects/CreateProject'
import { Menu, MenuEntry } from '../ui/Menu'
import { ProjectTile } from '../ui/ProjectTile'
import styles from './Switchers.module.css'

const LISTED = 15

/** Shows the present project, and links to the others. */
export function ProjectSwitcher() {
  const { t } = useTranslation()
  const { project, projects } = useAccount().user
  const [creating, setCreating] = useState(false)
  return (
    <>
      <Menu width={240}>
        <Menu.Target>
          <button type="button" className={styles.switcher} aria-label={t('nav.switchProject')}>
            <ProjectTile name={project?.name ?? t('product')} />
            <span className={styles.name}>{project?.name ?? t('nav.projects')}</span>
            <ChevronsUpDown size={14} className={styles.chevrons} />
          </button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Label>{t('nav.projects')}</Menu.Label>
          {projects.slice(0, LISTED).map(({ gid, name }) => (
            <MenuEntry
              key={gid}
              to={projectEntry(gid)}
              leftSection={<ProjectTile name={name} small />}
              rightSection={gid === project?.gid && <Check size={14} />}
            >
              {name}
            </MenuEntry>
          ))}
          <Menu.Divider />
          <MenuEntry to="/projects" leftSection={<LayoutGrid size={15} />}>
            {t('nav.allProjects')}
          </MenuEntry>
          <MenuEntry leftSection={<Plus size={15} />} onClick={() => setCreating(true)}>
            {t('nav.newProject')}
          </MenuEntry>
        </Menu.Dropdown>
      </Menu>
      {creating && (
        <Suspense>
          <CreateProject opened onClose={() => setCreating(false)} />
        </Suspense>
      )}
    </>
  )
}
