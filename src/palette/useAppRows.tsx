import { useMantineColorScheme } from '@mantine/core'
import {
  FolderPlus,
  Languages,
  LayoutGrid,
  Library,
  LogOut,
  MessageSquarePlus,
  Monitor,
  Moon,
  Rocket,
  Sun,
  UserRoundPlus,
  Zap,
} from 'lucide-react'
import { type ReactNode, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { useAccount, useAccountStore } from '../api/account'
import { switchLanguage } from '../api/language'
import { projectEntry } from '../api/projects'
import { isAllowed } from '../api/roles'
import { askToLeave } from '../app/LogOut'
import {
  chatbotPlaces,
  chatbotPlacesBelow,
  isOffered,
  type Place,
  projectPlaces,
  projectPlacesBelow,
} from '../app/places'
import { languageName, languages } from '../i18n'
import type { FinderRow, FinderSection } from '../ui/finder/Finder'
import { matchNames } from '../ui/finder/match'
import { ProjectTile } from '../ui/ProjectTile'

/** Navigation state that tells the builder what to open. */
export const OPEN_PUBLISH = { open: 'publish' } as const

/** The screens, chatbots, projects and actions available to the account. */
export function useAppRows(): readonly FinderSection[] {
  const { t } = useTranslation(['palette', 'app'])
  const { user, billing } = useAccount()
  const { ui, project, projects, chatbot, chatbots, project_roles: roles } = user
  const features = useAccountStore((state) => state.featureRoles)
  const navigate = useNavigate()
  const { setColorScheme } = useMantineColorScheme()
  return useMemo(() => {
    const can = (feature: string) => isAllowed(feature, roles, features)
    const go = (to: string, state?: object) => () => void navigate(to, state && { state })
    const home = project && `/projects/${project.gid}`
    const bots = `${home}/chatbots`
    const screen =
      (base: string, detail: string) =>
      (place: Place): FinderRow[] =>
        isOffered(place, can, billing)
          ? [
              {
                key: `app ${base}${place.path}`,
                icon: <place.Icon size={15} />,
                title: t(`app:nav.${place.text}`),
                detail,
                onChoose: go(base + place.path),
              },
            ]
          : []
    const deed = (id: string, icon: ReactNode, onChoose: () => void, needs?: string): FinderRow[] =>
      needs === undefined || can(needs) ? [{ key: `app do ${id}`, icon, title: t(`palette:do.${id}`), onChoose }] : []
    const first = can('builder.view') ? 'builder' : 'analytics'
    const here = chatbot && `${bots}/${chatbot.gid}`
    const publish =
      home && can('builder.publish') && !chatbot?.over_limit
        ? (chatbot ? [chatbot] : chatbots).map(
            ({ gid, name }): FinderRow => ({
              key: `app publish ${gid}`,
              icon: <Rocket size={15} />,
              title: t('palette:publish', { name }),
              onChoose: go(`${bots}/${gid}/builder`, OPEN_PUBLISH),
            }),
          )
        : []
    const sections: FinderSection[] = [
      {
        id: 'deeds',
        title: t('palette:deeds'),
        rows: [
          ...(chatbot ? publish : []),
          ...(home ? deed('newChatbot', <MessageSquarePlus size={15} />, go(`${bots}/new`), 'chatbots.create') : []),
          ...(here
            ? deed('newSource', <Library size={15} />, go(`${here}/data-sources/new`), 'knowledge_base.create')
            : []),
          ...(here ? deed('newAction', <Zap size={15} />, go(`${here}/actions/new`), 'actions.create') : []),
          ...(home ? deed('invite', <UserRoundPlus size={15} />, go(`${home}/members`), 'members.invite') : []),
          ...deed('newProject', <FolderPlus size={15} />, go('/projects')),
          ...deed('light', <Sun size={15} />, () => setColorScheme('light')),
          ...deed('dark', <Moon size={15} />, () => setColorScheme('dark')),
          ...deed('system', <Monitor size={15} />, () => setColorScheme('auto')),
          ...(languages.length > 1
            ? languages.map((language) => ({
                key: `app language ${language}`,
                icon: <Languages size={15} />,
                title: t('palette:language', { name: languageName(language) }),
                onChoose: () => void switchLanguage(language),
              }))
            : []),
          ...deed('logOut', <LogOut size={15} />, () => void askToLeave(ui)),
          // of many chatbots: after what concerns them all
          ...(chatbot ? [] : publish),
        ],
      },
      {
        id: 'screens',
        title: t('palette:screens'),
        rows: [
          ...(here && chatbot ? [...chatbotPlaces, ...chatbotPlacesBelow].flatMap(screen(here, chatbot.name)) : []),
          ...(home ? [...projectPlaces, ...projectPlacesBelow].flatMap(screen(home, project.name)) : []),
          {
            key: 'app /projects',
            icon: <LayoutGrid size={15} />,
            title: t('app:nav.allProjects'),
            onChoose: go('/projects'),
          },
        ],
      },
      {
        id: 'chatbots',
        title: t('palette:chatbots'),
        rows: can('chatbots.view')
          ? chatbots.map(({ gid, name }) => ({
              key: `app chatbot ${gid}`,
              icon: <Initial name={name} />,
              title: name,
              onChoose: go(`${bots}/${gid}/${first}`),
            }))
          : [],
      },
      {
        id: 'projects',
        title: t('palette:projects'),
        rows: projects
          .filter(({ gid }) => gid !== project?.gid)
          .map(({ gid, name }) => ({
            key: `app project ${gid}`,
            icon: <ProjectTile name={name} small />,
            title: name,
            detail: t('palette:switch'),
            onChoose: go(projectEntry(gid)),
          })),
      },
    ]
    return sections
  }, [t, ui, project, projects, chatbot, chatbots, roles, features, navigate, setColorScheme, billing])
}

const Initial = ({ name }: { name: string }) => <b>{[...name][0]?.toUpperCase()}</b>

/** The most matches shown. */
const SHOWN = 100

/** The rows that match a search, each section with the score of its best row. */
export const searchSections = (sections: readonly FinderSection[], wanted: string) =>
  sections.map((section) => {
    const found = matchNames(section.rows, wanted, ({ title }) => title, SHOWN)
    return {
      ...section,
      rows: found.map(({ item, ranges }) => ({ ...item, ranges })),
      best: found[0]?.score ?? 0,
    }
  })
