import { actionCaps, caps, contactCaps, visitorCaps } from '../../../engine/values/caps'
import { accountSchema } from '../../../server/contracts/account'
import { API_KEY_NAME } from '../../../server/contracts/api-keys'
import { personFields } from '../../../server/contracts/auth'
import { channelCapabilities } from '../../../server/contracts/channels'
import { businessCaps, chatbotName, chatbotSchema } from '../../../server/contracts/chatbots'
import { projectName } from '../../../server/contracts/projects'
import { lookCaps } from '../../../server/contracts/web/look'
import { languageCodes } from '../../../server/modules/models/languageCodes'
import { equals, inSource, inTest, nothing, type Row, row } from './row'
import { authorCodes, capOf, lacking } from './values'

/** Point 9: constants and limits. */
export const limits: readonly Row[] = [
  row('bf9b73a898', 'least time of a wait', inSource('src/ui/LoadingState.tsx', 'SHOWN_AFTER_MS = 200')),
  row(
    '9c38ca5ac4',
    'prefetch',
    inTest('src/app/fetchAhead.test.ts', 'nothing is fetched ahead offline, on 2g, and by who saves data'),
    inTest('src/app/fetchAhead.test.ts', 'a link in view fetches its screen once'),
    inTest('tests/e2e/loading.long.test.ts', 'has the screen of a link in view before anybody points at it'),
  ),
  row(
    'db9e989c9d',
    'shares of credits',
    equals(
      () =>
        lacking(
          accountSchema.shape.user.shape.project_notifications.shape.ai_credits_usage.shape.thresholds,
          '50 75 90 100',
        ),
      [],
    ),
  ),
  row('b2efe9eac3', 'temperature', inTest('src/i18n/format.test.ts', 'a temperature has one decimal')),
  row(
    'bd4540465e',
    'codes',
    equals(() => lacking(chatbotSchema, 'type'), []),
    ...authorCodes,
  ),
  row(
    'c9a9169d38',
    'PDF alone',
    inTest('tests/e2e/dataSources.long.test.ts', 'a PDF and FAQ entries are added; what is wrong with them is said'),
  ),
  row('6559c1a717', 'sizes', inTest('src/i18n/format.test.ts', 'sizes are decimal, in KB, MB or GB')),
  row('ed36827fbd', 'dates', inTest('src/i18n/format.test.ts', 'the time since %s reads %s')),
  row('b44292c381', 'scroll', inSource('src/app/Root.tsx', '<ScrollRestoration')),
  row(
    '24f920bd04 b15c0fa065',
    'languages of the chat',
    inTest('src/widget/texts.test.ts', 'SPEC.md 9 names the languages'),
  ),
  row(
    'b78763bb30',
    'languages of answers',
    equals(() => Object.keys(languageCodes).length > 95, true),
  ),
  row('c9f406f761', 'images', inTest('tests/e2e/chatFeatures.test.ts', 'keeps images within 500 by 350')),
  row('5b1fb15612', 'sources', inTest('tests/e2e/chatFeatures.test.ts', 'and sources within 250, or 400')),
  row('18196dcf96', 'scale', inSource('src/widget/view/rating.module.css', 'max-width: 220px')),
  row('8b3db8dee4', 'more messages', inSource('src/widget/view/look.module.css', 'width: 165px')),
  row('16a848474d', 'sidebar', inSource('src/screens/builder/SidePanel.tsx', 'const WIDEST = 600')),
  row(
    'b243982f88',
    'reply editor',
    inSource('src/text/markdown/markdown.module.css', 'max-height: 200px'),
    inSource('src/text/markdown/markdown.module.css', 'min-height: 100px'),
  ),
  row('a0805e9953', 'tooltip', inSource('src/ui/theme.ts', 'maw: 350')),
  row('7787b7e319', 'navigation', inSource('src/ui/tokens.css', '--p-nav-width: 225px')),
  row('624377140b', 'plans', inTest('tests/e2e/billing.long.test.ts', 'compares the plans, in as many columns')),
  row(
    '71589e989f',
    'designs',
    inSource('src/ui/Button.tsx', "'primary', 'ghost', 'secondary', 'danger', 'orange', 'bordered', 'white', 'gray'"),
  ),
  row(
    '978673cd5a',
    'icons',
    inSource('src/ui/buttonIcons.tsx', 'reset: <'),
    ...['compare', 'plus', 'docs', 'copy'].map((name) => inSource('src/ui/buttonIcons.tsx', `${name}: <`)),
  ),
  row('b16a4fe641 4d476feaa9 268498c096', 'a heading', nothing('a heading')),
  row(
    'a20628c842',
    'project',
    equals(() => capOf(projectName), 125),
  ),
  row(
    'd8768758ed',
    'names',
    equals(() => capOf(personFields.first_name), 75),
    equals(() => capOf(personFields.last_name), 75),
  ),
  row(
    '4ae09c10c6',
    'email',
    equals(() => caps.email, 320),
  ),
  row(
    'dd73f89c69',
    'password',
    equals(() => capOf(personFields.password), 50),
    equals(() => personFields.password.safeParse('1234567').success, false),
  ),
  row(
    '4a02421611',
    'url',
    equals(() => caps.url, 2_048),
  ),
  row(
    '40d6c799b8',
    'API key',
    equals(() => API_KEY_NAME, 300),
  ),
  row(
    '0a7efa381b',
    'chatbot',
    equals(() => capOf(chatbotName), 125),
  ),
  row(
    '5c5d8ff45a',
    'business',
    equals(() => businessCaps.name, 100),
  ),
  row(
    'e60d6dc564',
    'what it does',
    equals(() => businessCaps.description, 200),
  ),
  row(
    '7641c0a9a2',
    'title',
    equals(() => lookCaps.headerTitle, 50),
  ),
  row(
    '01b6307ac4',
    'welcome',
    equals(() => lookCaps.welcome, 1_000),
  ),
  row(
    'cdae34cfae',
    'message of a visitor',
    equals(() => caps.userMessage, 20_000),
  ),
  row(
    'eaf6097e97',
    'queries',
    equals(() => [lookCaps.queryLabel, lookCaps.queryValue, lookCaps.queries], [250, 1_000, 50]),
  ),
  row(
    '837f53636e',
    'placeholder',
    equals(() => lookCaps.placeholder, 30),
  ),
  row(
    'f7c5ae5999',
    'teaser',
    equals(() => lookCaps.hovering, 250),
  ),
  row(
    '55f49ec45e',
    'excluded elements',
    inSource('server/contracts/web/settings.ts', 'excluded_class: z.string().trim().max(100'),
  ),
  row(
    'f7c688aed6',
    'message of a limit',
    inSource('server/contracts/web/settings.ts', 'message: z.string().trim().max(75'),
  ),
  row('767a09fdc9', 'password of a link', inSource('server/contracts/web/settings.ts', 'SHARE_PASSWORD_CAP = 32')),
  row('75c804e10e', 'instructions', inSource('server/contracts/instructions.ts', 'INSTRUCTIONS_CAP = 20_000')),
  row(
    '295fcf527e',
    'feedback',
    equals(() => caps.satisfaction, 350),
  ),
  row(
    'd139d4f53b',
    'first messages',
    equals(() => [lookCaps.initialMessage, lookCaps.initialMessages], [500, 1_500]),
  ),
  row(
    'f565b1a1dd',
    'contact',
    equals(() => contactCaps, {
      userId: 36,
      name: 255,
      email: 320,
      phone: 50,
      company: 100,
      jobTitle: 100,
      website: 2_083,
      industry: 100,
      address: 255,
      city: 85,
      state: 50,
      country: 56,
      zip: 20,
    }),
  ),
  row(
    'c6afd4d3bf',
    'what visitors type',
    equals(() => visitorCaps, { email: 320, url: 500, phone: 25 }),
  ),
  row(
    '0cf3bf0427',
    'group',
    inTest('tests/contract/blocks.test.ts', 'every text is taken at its cap and refused one character above'),
  ),
  row(
    '1835885d9a',
    'text',
    equals(() => caps.text, 20_000),
  ),
  row(
    '438daa5b8e',
    'label of a field',
    equals(() => caps.formLabel, 100),
  ),
  row(
    '9c2b6e961f',
    'quick reply',
    equals(() => caps.quickReply, 250),
  ),
  row(
    'f9626b7830',
    'title of a card',
    equals(() => caps.cardTitle, 150),
  ),
  row(
    '79ed12ee4e',
    'words of a card',
    equals(() => caps.cardDescription, 500),
  ),
  row(
    '283890d021',
    'button',
    equals(() => caps.label, 75),
  ),
  row('13e826c6ab', 'variable', inTest('server/modules/flows/variables/variables.test.ts', 'names')),
  row('d8c9148736', 'phrases', inSource('blocks/intent/schema.ts', 'MAX_PHRASES = 50')),
  row(
    'ff1e674a12',
    'caption',
    equals(() => caps.caption, 1_024),
  ),
  row(
    '6aa9008b95',
    'buttons of WhatsApp',
    equals(() => channelCapabilities.whatsapp.buttons.label, 20),
  ),
  row('9b15f2aa32', 'fields of CRMs', nothing('says no values')),
  row(
    '24aa8bab2c',
    'actions',
    equals(() => actionCaps, {
      name: 64,
      description: 500,
      buttonLabel: 50,
      url: 2_048,
      jsonBody: 5_000,
      mailMessage: 5_000,
      mailSubject: 255,
      variableName: 50,
    }),
  ),
  row('4a9ad23e74 b0ea4516d5', 'says no values', nothing('says no values')),
]
