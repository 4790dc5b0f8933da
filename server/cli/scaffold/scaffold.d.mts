export function scaffold(
  what: string | undefined,
  name: string | undefined,
  folder?: string,
): { written: string[]; next: string }
