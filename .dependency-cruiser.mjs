import { declaredModules, layers } from './server/cli/modules.mjs'

const modules = declaredModules()

/** The import rules of the house, zone by zone. `from` a zone, `to` what it may not reach. */

const TEST = '\\.test\\.tsx?$|testSupport'
const OWN_BLOCK = '^blocks/([^/]+)/'

/** Everything of ours but what is listed. */
const allBut = (...paths) => `^(?!(${paths.join('|')}))(engine|blocks|server|src|tests)/`
const REACT =
  '(^|/)node_modules/(react|react-dom|react-[a-z0-9-]+|@mantine|@xyflow|slate-react|@slate-yjs/react|lucide-react|preact)/'
const YJS = '(^|/)node_modules/(yjs|y-[a-z]+|lib0)/'
const NODE = ['core']

const rule = (name, comment, from, to) => ({ name, comment, severity: 'error', from, to })

export default {
  forbidden: [
    rule(
      'no-cycles',
      'Two files that need each other, types included, are one idea, or a third is missing.',
      {},
      { circular: true },
    ),
    rule(
      'no-unresolved',
      'An import that leads nowhere is seen by no other rule.',
      {},
      { couldNotResolve: true, pathNot: '\\?' },
    ),
    rule(
      'engine-alone',
      'The engine imports itself and small pure libraries.',
      { path: '^engine/', pathNot: TEST },
      { path: allBut('engine/') },
    ),
    rule(
      'engine-pure',
      'The engine runs anywhere: no Node, no React.',
      { path: '^engine/', pathNot: TEST },
      { dependencyTypes: NODE },
    ),
    rule(
      'engine-no-react',
      'The engine runs anywhere: no Node, no React.',
      { path: '^engine/', pathNot: TEST },
      { path: REACT },
    ),
    rule(
      'yjs-places',
      'Only the document and what carries it know Yjs.',
      {
        path: '^(engine|blocks|server|src)/',
        pathNot: `^(engine/document|server/modules/flows/collab|server/modules/flows/drafts|src/collab|src/text)/|${TEST}`,
      },
      { path: YJS },
    ),
    rule(
      'block-runtime',
      'A block’s runtime half imports the engine and its own folder.',
      { path: '^blocks/[^/]+/.+\\.ts$', pathNot: TEST },
      { path: allBut('engine/', 'blocks/') },
    ),
    rule(
      'block-runtime-pure',
      'A block’s runtime half needs neither Node nor React.',
      { path: '^blocks/.+\\.ts$', pathNot: TEST },
      { dependencyTypes: NODE },
    ),
    rule(
      'block-runtime-no-react',
      'That would pull React into the server.',
      { path: '^blocks/.+\\.ts$', pathNot: TEST },
      { path: `\\.tsx$|${REACT}` },
    ),
    rule(
      'block-alone',
      'A kind never imports another kind.',
      { path: OWN_BLOCK, pathNot: TEST },
      { path: '^blocks/', pathNot: '^blocks/$1/' },
    ),
    rule(
      'block-view',
      'A face or an editor imports its folder, the engine, src/ui and src/text.',
      { path: '^blocks/.+\\.tsx$' },
      { path: allBut('engine/', 'blocks/', 'src/ui/', 'src/text/') },
    ),
    rule(
      'server',
      'The server imports the engine and the registry.',
      { path: '^server/', pathNot: TEST },
      { path: allBut('server/', 'engine/', 'blocks/(registry|kinds)\\.ts') },
    ),
    ...Object.keys(layers).map((layer, at, all) =>
      rule(
        `server-${layer}`,
        'A layer imports those below it, and no module.',
        { path: `^server/${layer}/`, pathNot: TEST },
        { path: '^server/', pathNot: `^server/(${all.slice(0, at + 1).join('|')})/` },
      ),
    ),
    ...Object.entries(modules).map(([name, { needs }]) =>
      rule(
        `module-${name}`,
        'A module imports the layers and the modules that its module.ts says it needs.',
        { path: `^server/modules/${name}/`, pathNot: TEST },
        {
          path: '^server/',
          pathNot: `^server/(${Object.keys(layers).join('|')}|modules/(${[name, ...needs].join('|')}))/`,
        },
      ),
    ),
    rule(
      'module-unknown',
      'A module is declared in its module.ts.',
      { path: '^server/modules/', pathNot: `^server/modules/(${Object.keys(modules).join('|')})/` },
      {},
    ),
    rule(
      'server-no-react',
      'The server renders mails alone (server/platform/mail/README.md).',
      { path: '^server/', pathNot: '^server/platform/mail/templates/.+\\.tsx$' },
      { path: REACT },
    ),
    rule(
      'mail-templates-door',
      'React is loaded with the first mail: templates are imported when they are needed.',
      { path: '^(?!server/platform/mail/templates/)', pathNot: TEST },
      { path: '^server/platform/mail/templates/', dependencyTypesNot: ['dynamic-import', 'type-only'] },
    ),
    rule(
      'interface',
      'Of the server, the interface knows the contracts.',
      { path: '^src/', pathNot: TEST },
      { path: '^(server|tests)/', pathNot: '^server/contracts/' },
    ),
    rule(
      'interface-blocks',
      'Blocks reach the interface, and the documentation, through the registry and by glob.',
      { path: '^src/', pathNot: TEST },
      { path: '^blocks/', pathNot: '^blocks/registry\\.ts$' },
    ),
    rule(
      'interface-no-node',
      'The interface runs in browsers; the documentation is written when it is built.',
      { path: '^src/', pathNot: `^src/docs/|${TEST}` },
      { dependencyTypes: NODE },
    ),
    rule(
      'screen-alone',
      'A screen imports no other screen.',
      { path: '^src/screens/([^/]+)/' },
      { path: '^src/screens/', pathNot: '^src/screens/$1/' },
    ),
    rule(
      'ui-alone',
      'The design system imports no block, no screen.',
      { path: '^src/ui/' },
      { path: '^(blocks|server)/|^src/(?!ui/|i18n/)' },
    ),
    rule(
      'documentation-alone',
      'The documentation is a site of its own: the registry, the engine and the contracts, and nothing imports it.',
      { path: '^src/docs/', pathNot: TEST },
      { path: allBut('src/docs/', 'engine/', 'blocks/registry\\.ts', 'server/contracts/') },
    ),
    rule(
      'documentation-unseen',
      'The documentation is a site of its own: the app links to its addresses.',
      { path: '^(?!src/docs/)', pathNot: TEST },
      { path: '^src/docs/' },
    ),
    rule(
      'widget-alone',
      'The widget is its own bundle: values of the engine as types, its own folder.',
      { path: '^src/widget/', pathNot: TEST },
      { path: allBut('src/widget/', 'engine/', 'server/contracts/') },
    ),
    rule(
      'widget-types',
      'The widget imports types alone from elsewhere, and nine small rules: what a video is, how foreign pages are framed, which files are taken, how lists nest, what a table is, where links lead, which colours can be read, which language is meant, how a QR code is drawn.',
      { path: '^src/widget/', pathNot: TEST },
      {
        path: '^(engine|server)/',
        pathNot:
          '^engine/values/(videoSource|foreignFrame|acceptedFile|richTextLists|richTextTables|url|colour|languageTags|qrCode)\\.ts$',
        dependencyTypesNot: ['type-only'],
      },
    ),
    rule(
      'widget-door',
      'Only the preview, the appearance editor and the screen of the chat’s texts know the widget inside the app.',
      { path: '^src/', pathNot: '^src/(widget|preview|screens/(?:editor|chat-language))/' },
      { path: '^src/widget/' },
    ),
  ],
  options: {
    parser: 'swc',
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^(build|data)/' },
    enhancedResolveOptions: {
      extensions: ['.ts', '.tsx', '.mjs', '.js', '.json', '.css'],
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'default', 'types'],
    },
  },
}
