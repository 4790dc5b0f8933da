import {
  Bell,
  BrainCircuit,
  Clock,
  CodeXml,
  Globe,
  House,
  KeyRound,
  Languages,
  LayoutDashboard,
  Library,
  ListChecks,
  Lock,
  type LucideIcon,
  Mails,
  MessageCircleQuestionMark,
  MessagesSquare,
  Palette,
  ScrollText,
  Settings2,
  Share2,
  SlidersHorizontal,
  Smile,
  UserRoundPlus,
  UsersRound,
  Workflow,
  Zap,
} from 'lucide-react'

/** A screen in the navigation, for roles with its feature. */
export interface Place {
  /** relative to the project's or the chatbot's address */
  path: string
  /** group.feature of the roles map */
  feature: string
  /** its name among the texts of `nav` */
  text:
    | 'home'
    | 'chatbots'
    | 'members'
    | 'projectSettings'
    | 'outbox'
    | 'builder'
    | 'knowledge'
    | 'instructions'
    | 'playground'
    | 'evaluations'
    | 'actions'
    | 'contacts'
    | 'appearance'
    | 'ai'
    | 'settings'
    | 'domain'
    | 'apiKeys'
    | 'secrets'
    | 'notifications'
    | 'overview'
    | 'share'
    | 'visibility'
    | 'survey'
    | 'chatLanguage'
    | 'embed'
  Icon: LucideIcon
  /** not marked as current for screens below it */
  exact?: boolean
  /** only in the wide navigation */
  wideOnly?: boolean
}

export const projectPlaces: Place[] = [
  { path: '', feature: 'dashboard.view', text: 'home', Icon: House, exact: true },
  { path: '/chatbots', feature: 'chatbots.view', text: 'chatbots', Icon: MessagesSquare, exact: true },
  { path: '/members', feature: 'members.view', text: 'members', Icon: UserRoundPlus },
  {
    path: '/settings/project/general',
    feature: 'project.view',
    text: 'projectSettings',
    Icon: Settings2,
    wideOnly: true,
  },
  {
    path: '/settings/project/secrets',
    feature: 'builder.view',
    text: 'secrets',
    Icon: Lock,
    wideOnly: true,
  },
  {
    path: '/settings/project/api-keys',
    feature: 'api_keys.view',
    text: 'apiKeys',
    Icon: KeyRound,
    wideOnly: true,
  },
  {
    path: '/notification-settings',
    feature: 'notifications.view',
    text: 'notifications',
    Icon: Bell,
    wideOnly: true,
  },
  { path: '/settings/project/outbox', feature: 'notifications.view', text: 'outbox', Icon: Mails, wideOnly: true },
]

export const chatbotPlaces: Place[] = [
  { path: '/builder', feature: 'builder.view', text: 'builder', Icon: Workflow },
  { path: '/data-sources', feature: 'knowledge_base.view', text: 'knowledge', Icon: Library },
  { path: '/instructions', feature: 'instructions.view', text: 'instructions', Icon: ScrollText },
  { path: '/playground', feature: 'playground.view', text: 'playground', Icon: MessageCircleQuestionMark },
  { path: '/test', feature: 'testing.view', text: 'evaluations', Icon: ListChecks },
  { path: '/actions', feature: 'actions.view', text: 'actions', Icon: Zap },
  { path: '/leads', feature: 'contacts.view', text: 'contacts', Icon: UsersRound },
  { path: '/editor', feature: 'appearance.view', text: 'appearance', Icon: Palette },
  { path: '/integrations/embed', feature: 'embed.view', text: 'embed', Icon: CodeXml },
  { path: '/settings/ai', feature: 'ai.view', text: 'ai', Icon: BrainCircuit },
  { path: '/settings/overview', feature: 'settings.view', text: 'overview', Icon: LayoutDashboard, wideOnly: true },
  { path: '/integrations/share', feature: 'share.view', text: 'share', Icon: Share2, wideOnly: true },
  { path: '/settings/visibility', feature: 'visibility.view', text: 'visibility', Icon: Clock, wideOnly: true },
  { path: '/settings/survey', feature: 'settings.view', text: 'survey', Icon: Smile, wideOnly: true },
  { path: '/settings/language', feature: 'settings.view', text: 'chatLanguage', Icon: Languages, wideOnly: true },
  { path: '/settings/general', feature: 'settings.view', text: 'settings', Icon: SlidersHorizontal },
  { path: '/settings/domain', feature: 'custom_domain.view', text: 'domain', Icon: Globe },
]
