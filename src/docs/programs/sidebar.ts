import type { DefaultTheme } from 'vitepress'
import { registry } from '../../../blocks/registry'
import { categoryNames, textsOfKind } from './texts'

const pages = (folder: string, titles: Readonly<Record<string, string>>): DefaultTheme.SidebarItem[] =>
  Object.entries(titles).map(([name, text]) => ({ text, link: `/${folder}/${name}` }))

const kindItems = (category: string): DefaultTheme.SidebarItem[] =>
  registry.kinds
    .filter((definition) => definition.category === category)
    .map(({ kind }) => ({ text: textsOfKind(kind).title, link: `/blocks/${kind}` }))

/** The pages beside the text, a list for each folder. Blocks come from the registry. */
export const sidebar: DefaultTheme.SidebarMulti = {
  '/editors/': [
    {
      text: 'Begin',
      items: pages('editors', {
        'first-chatbot': 'Your first chatbot',
        project: 'Projects and members',
        security: 'Security',
      }),
    },
    {
      text: 'Build',
      items: pages('editors', {
        canvas: 'The canvas',
        'variables-and-texts': 'Variables and texts',
        triggers: 'Triggers and intents',
        preview: 'Preview and tests',
        versions: 'Publish and versions',
        translations: 'Translations',
        agents: 'Instructions, model and actions',
        'import-export': 'Import and export',
      }),
    },
    {
      text: 'Knowledge',
      items: pages('editors', {
        knowledge: 'Data sources',
        playground: 'Playground',
        evaluations: 'Evaluations',
        unanswered: 'Unanswered questions',
      }),
    },
    {
      text: 'Reach visitors',
      items: pages('editors', {
        sharing: 'Share, visibility and domain',
        embedding: 'On your website',
        appearance: 'Appearance and survey',
        whatsapp: 'WhatsApp',
        integrations: 'Integrations and secrets',
      }),
    },
    {
      text: 'See how it goes',
      items: pages('editors', { analytics: 'Analytics and results', billing: 'Usage and plans' }),
    },
  ],
  '/support/': [
    {
      text: 'Support',
      items: pages('support', {
        inbox: 'The inbox',
        shortcuts: 'Keyboard shortcuts',
        'office-hours': 'Teams and office hours',
        contacts: 'Contacts',
        leads: 'Leads',
        mail: 'Mail',
        notifications: 'Notifications',
        privacy: 'Personal data',
      }),
    },
  ],
  '/operators/': [
    {
      text: 'Operators',
      items: pages('operators', {
        install: 'Install',
        settings: 'Settings',
        deployment: 'Deployment',
        backup: 'Backup and restore',
        moving: 'Move to another server',
        update: 'Update',
        monitoring: 'Metrics and alerts',
        admin: 'Run the installation',
        security: 'Security',
        limits: 'Limits',
        scale: 'How much it carries',
      }),
    },
  ],
  '/developers/': [
    {
      text: 'Developers',
      items: pages('developers', {
        api: 'REST API and keys',
        webhooks: 'Webhooks',
        events: 'Events of webhooks',
        'incoming-webhooks': 'Call a trigger',
        'message-api': 'Message API',
        mcp: 'MCP',
        'embed-api': 'Embed API',
        'command-line': 'Command line',
        'block-kind': 'Add a block kind',
      }),
    },
  ],
  '/blocks/': [
    { text: 'All blocks', link: '/blocks/' },
    ...Object.entries(categoryNames()).map(([category, text]) => ({
      text,
      items: kindItems(category),
    })),
  ],
}
