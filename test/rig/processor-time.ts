/** The processor time this process has used so far, in ms. On a busy machine a clock measures the others, too. */
export function processorMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1_000
}
