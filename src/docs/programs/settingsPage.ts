import { fileAt } from './texts'

const README = 'README.md'

/** The page of all environment variables: the table of the README, whose links lead to files that are not served. */
export function settingsPage(): string {
  const [, after = ''] = fileAt(README).split('\n## Settings\n')
  const rows = after.trim().split('\n\n')[0] ?? ''
  const table = rows
    .replace(/ \(\[below\]\(#[^)]*\)\)/g, '')
    .replace(/\[([^\]]*)\]\((?!https?:)[^)]*\)/g, (_, text: string) => `\`${text}\``)
    .replace(/\| variable \| default \| what it does \|/, '| Variable | Default | What it does |')
  return [
    '# Settings',
    'Parley is set up by environment variables. None is needed to begin. Names of folders mean those of the repository, whose `README.md` files say more.',
    '<!-- a table with code in its cells --><div class="settings">\n',
    table,
    '\n</div>',
  ].join('\n\n')
}
