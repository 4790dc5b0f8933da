import {
  Bell,
  Blocks,
  BookText,
  BrainCircuit,
  ChartNoAxesColumn,
  CircleUser,
  Clock,
  CodeXml,
  Columns3,
  CreditCard,
  FileDown,
  Fingerprint,
  Gauge,
  Gift,
  Globe,
  House,
  Inbox,
  KeyRound,
  Languages,
  LayoutDashboard,
  Library,
  ListChecks,
  Lock,
  type LucideIcon,
  MailCheck,
  MailOpen,
  Mails,
  MessageCircleOff,
  MessageCircleQuestionMark,
  MessagesSquare,
  PackagePlus,
  Palette,
  Phone,
  ScrollText,
  Settings2,
  Share2,
  ShieldCheck,
  SlidersHorizontal,
  Smile,
  SquareMousePointer,
  TableProperties,
  Terminal,
  UserRoundPlus,
  UserRoundSearch,
  UsersRound,
  Webhook,
  Workflow,
  Zap,
} from 'lucide-react'

/** Groups of the navigation, by their names among the texts of `nav.groups`. */
export type PlaceGroup = 'project' | 'build' | 'knowledge' | 'people' | 'channels' | 'settings'

/** Groups that somebody who never opened or closed one sees closed: what is set up once. */
export const closedAtFirst: ReadonlySet<PlaceGroup> = new Set(['project', 'channels', 'settings'])

/** A screen in the navigation, for roles with its feature. */
export interface Place {
  /** relative to the project's or the chatbot's address */
  path: string
  /** group.feature of the roles map */
  feature: string
  /** its name among the texts of `nav` */
  text:
    | 'home'
    | 'inbox'
    | 'chatbots'
    | 'members'
    | 'projectSettings'
    | 'security'
    | 'subscription'
    | 'usage'
    | 'plans'
    | 'addons'
    | 'bonusCredits'
    | 'outbox'
    | 'auditLog'
    | 'builder'
    | 'knowledge'
    | 'instructions'
    | 'playground'
    | 'evaluations'
    | 'unanswered'
    | 'actions'
    | 'contacts'
    | 'analytics'
    | 'leads'
    | 'leadBoard'
    | 'results'
    | 'exports'
    | 'appearance'
    | 'appearanceForm'
    | 'ai'
    | 'settings'
    | 'domain'
    | 'apiKeys'
    | 'apiReference'
    | 'buttons'
    | 'secrets'
    | 'integrations'
    | 'notifications'
    | 'overview'
    | 'share'
    | 'visibility'
    | 'survey'
    | 'answersByMail'
    | 'whatsapp'
    | 'messageApi'
    | 'mailInbox'
    | 'webhooks'
    | 'chatLanguage'
    | 'embed'
    | 'translations'
    | 'account'
  Icon: LucideIcon
  group?: PlaceGroup
  /** only where the installation has billing */
  billing?: boolean
  /** not marked as current for screens below it */
  exact?: boolean
  /** not in the strip of icons, which has room for few */
  wideOnly?: boolean
}

export const projectPlaces: Place[] = [
  { path: '', feature: 'dashboard.view', text: 'home', Icon: House, exact: true },
  { path: '/chatbots', feature: 'chatbots.view', text: 'chatbots', Icon: MessagesSquare, exact: true },
  { path: '/conversations', feature: 'conversations.view', text: 'inbox', Icon: Inbox },
  { path: '/contacts', feature: 'contacts.view', text: 'contacts', Icon: UsersRound, wideOnly: true },
  { path: '/analytics', feature: 'analytics.view', text: 'analytics', Icon: ChartNoAxesColumn, wideOnly: true },
  { path: '/exports-history', feature: 'exports.view', text: 'exports', Icon: FileDown, wideOnly: true },
  { path: '/members', feature: 'members.view', text: 'members', Icon: UserRoundPlus },
  {
    path: '/settings/project/general',
    feature: 'project.view',
    text: 'projectSettings',
    Icon: Settings2,
    group: 'project',
    wideOnly: true,
  },
  {
    path: '/settings/project/security',
    feature: 'security.update',
    text: 'security',
    Icon: Fingerprint,
    group: 'project',
    wideOnly: true,
  },
  {
    path: '/settings/billing/subscription',
    feature: 'billing.subscription',
    billing: true,
    text: 'subscription',
    Icon: CreditCard,
    group: 'project',
    wideOnly: true,
  },
  {
    path: '/settings/billing/usage',
    feature: 'billing.usage',
    text: 'usage',
    Icon: Gauge,
    group: 'project',
    wideOnly: true,
  },
  {
    path: '/integrations',
    feature: 'integrations.view',
    text: 'integrations',
    Icon: Blocks,
    group: 'project',
    wideOnly: true,
  },
  {
    path: '/settings/project/secrets',
    feature: 'builder.view',
    text: 'secrets',
    Icon: Lock,
    group: 'project',
    wideOnly: true,
  },
  {
    path: '/settings/project/api-keys',
    feature: 'api_keys.view',
    text: 'apiKeys',
    Icon: KeyRound,
    group: 'project',
    wideOnly: true,
  },
  {
    path: '/settings/project/webhooks',
    feature: 'integrations.view',
    text: 'webhooks',
    Icon: Webhook,
    group: 'project',
    wideOnly: true,
  },
  {
    path: '/notification-settings',
    feature: 'conversations.view',
    text: 'notifications',
    Icon: Bell,
    group: 'project',
    wideOnly: true,
  },
  {
    path: '/settings/project/mail-inbox',
    feature: 'notifications.view',
    text: 'mailInbox',
    Icon: MailOpen,
    group: 'project',
    wideOnly: true,
  },
  {
    path: '/settings/project/outbox',
    feature: 'notifications.view',
    text: 'outbox',
    Icon: Mails,
    group: 'project',
    wideOnly: true,
  },
  {
    path: '/settings/project/audit-log',
    feature: 'project.audit',
    text: 'auditLog',
    Icon: ShieldCheck,
    group: 'project',
    wideOnly: true,
  },
]

/** Top to bottom; those without a group stand above the groups. The places of a group stand together. */
export const chatbotPlaces: Place[] = [
  { path: '/settings/overview', feature: 'settings.view', text: 'overview', Icon: LayoutDashboard },
  { path: '/builder', feature: 'builder.view', text: 'builder', Icon: Workflow, group: 'build' },
  { path: '/instructions', feature: 'instructions.view', text: 'instructions', Icon: ScrollText, group: 'build' },
  { path: '/actions', feature: 'actions.view', text: 'actions', Icon: Zap, group: 'build' },
  { path: '/settings/ai', feature: 'ai.view', text: 'ai', Icon: BrainCircuit, group: 'build' },
  { path: '/data-sources', feature: 'knowledge_base.view', text: 'knowledge', Icon: Library, group: 'knowledge' },
  {
    path: '/playground',
    feature: 'playground.view',
    text: 'playground',
    Icon: MessageCircleQuestionMark,
    group: 'knowledge',
  },
  { path: '/test', feature: 'testing.view', text: 'evaluations', Icon: ListChecks, group: 'knowledge' },
  {
    path: '/unanswered',
    feature: 'knowledge_base.view',
    text: 'unanswered',
    Icon: MessageCircleOff,
    group: 'knowledge',
    wideOnly: true,
  },
  { path: '/conversations', feature: 'conversations.view', text: 'inbox', Icon: Inbox, group: 'people' },
  { path: '/leads', feature: 'contacts.view', text: 'leads', Icon: UserRoundSearch, group: 'people' },
  {
    path: '/results',
    feature: 'conversations.view',
    text: 'results',
    Icon: TableProperties,
    group: 'people',
    wideOnly: true,
  },
  {
    path: '/analytics',
    feature: 'analytics.view',
    text: 'analytics',
    Icon: ChartNoAxesColumn,
    group: 'people',
  },
  { path: '/editor', feature: 'appearance.view', text: 'appearance', Icon: Palette, group: 'channels' },
  { path: '/integrations/embed', feature: 'embed.view', text: 'embed', Icon: CodeXml, group: 'channels' },
  {
    path: '/settings/whatsapp',
    feature: 'whatsapp.view',
    text: 'whatsapp',
    Icon: Phone,
    group: 'channels',
    wideOnly: true,
  },
  {
    path: '/settings/message-api',
    feature: 'integrations.view',
    text: 'messageApi',
    Icon: Terminal,
    group: 'channels',
    wideOnly: true,
  },
  { path: '/integrations/share', feature: 'share.view', text: 'share', Icon: Share2, group: 'channels' },
  { path: '/settings/domain', feature: 'custom_domain.view', text: 'domain', Icon: Globe, group: 'channels' },
  {
    path: '/settings/general',
    feature: 'settings.view',
    text: 'settings',
    Icon: SlidersHorizontal,
    group: 'settings',
  },
  {
    path: '/settings/visibility',
    feature: 'visibility.view',
    text: 'visibility',
    Icon: Clock,
    group: 'settings',
    wideOnly: true,
  },
  {
    path: '/settings/survey',
    feature: 'settings.view',
    text: 'survey',
    Icon: Smile,
    group: 'settings',
    wideOnly: true,
  },
  {
    path: '/settings/answers-by-mail',
    feature: 'settings.view',
    text: 'answersByMail',
    Icon: MailCheck,
    group: 'settings',
    wideOnly: true,
  },
  {
    path: '/settings/language',
    feature: 'settings.view',
    text: 'chatLanguage',
    Icon: Languages,
    group: 'settings',
    wideOnly: true,
  },
]

/** Screens that others lead to: the palette alone offers them. */
export const chatbotPlacesBelow: Place[] = [
  { path: '/builder/translations', feature: 'builder.view', text: 'translations', Icon: Languages },
  { path: '/leads/index2', feature: 'contacts.view', text: 'leadBoard', Icon: UserRoundSearch },
  { path: '/editor/indexold', feature: 'appearance.view', text: 'appearanceForm', Icon: Palette },
]
export const projectPlacesBelow: Place[] = [
  { path: '/settings/account', feature: 'project.view', text: 'account', Icon: CircleUser },
  { path: '/settings/billing/plans', feature: 'billing.plans', billing: true, text: 'plans', Icon: Columns3 },
  { path: '/settings/billing/addons', feature: 'billing.addons', billing: true, text: 'addons', Icon: PackagePlus },
  {
    path: '/settings/billing/bonus-credits',
    feature: 'billing.bonus_credits',
    billing: true,
    text: 'bonusCredits',
    Icon: Gift,
  },
  { path: '/settings/project/api-keys/reference', feature: 'api_keys.view', text: 'apiReference', Icon: BookText },
  { path: '/buttons', feature: 'project.view', text: 'buttons', Icon: SquareMousePointer },
]

/** Whether the navigation offers a place to who may do what `can` says. @param billing of the account */
export const isOffered = (place: Place, can: (feature: string) => boolean, billing: boolean): boolean =>
  can(place.feature) && (billing || !place.billing)

/** Places that stand together, in their order. @returns one list each group, and lists without one */
export function inGroups(places: readonly Place[]): { group?: PlaceGroup; places: Place[] }[] {
  const groups: { group?: PlaceGroup; places: Place[] }[] = []
  for (const place of places) {
    const last = groups.at(-1)
    if (last && last.group === place.group) last.places.push(place)
    else groups.push({ ...(place.group && { group: place.group }), places: [place] })
  }
  return groups
}
