"""The modules of a debug build: how a compiler finds them, and what they declare. SCRATCH_PATH is the build's
folder."""
import concurrent.futures, json, os, re, shutil, subprocess

from pages import ROOT

SCRATCH = ROOT / os.environ.get("SCRATCH_PATH", ".build")
BUILT = SCRATCH / "debug"
# What a plain build does not have: a package of its own, and a module that is empty without its trait.
PARTS = {"VerificationService": ["TVERedisUses", "TVEVerification"], "AsyncHTTPTransport": ["TVEAsyncHTTPTransport"]}


def output(*command):
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout.strip()


def libraries(part):
    """The library products with Swift in them of a part; without one, those of a plain build."""
    if part:
        return PARTS[part]
    found = re.findall(r'\.library\(\s*name: "(\w+)"', (ROOT / "Package.swift").read_text())
    return [name for name in found if name not in ["AccessEnablerHeaders", *sum(PARTS.values(), [])]]


def flags():
    """What a compiler needs to import the modules."""
    folders = ("CTVELibXML2/include", "VerificationService/CTVEHiredis", "VerificationService/CTVEOpenSSL")
    maps = [ROOT / f"Modules/{folder}/module.modulemap" for folder in folders]
    maps += sorted(BUILT.glob("*.build/module.modulemap"))
    maps += sorted(SCRATCH.glob("checkouts/**/include/module.modulemap"))
    found = ["-I", BUILT / "Modules"]
    for path in maps:
        found += ["-Xcc", f"-fmodule-map-file={path}", "-Xcc", f"-I{path.parent}"]
    return found


def in_parallel(work, items):
    """The results of a function for all items, in their order; most of them wait for a program."""
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        return list(pool.map(work, items))


def symbols(module):
    """The folder with the module's symbol graphs, made again after a build that changed the module."""
    folder = SCRATCH / "symbols" / module
    # A change of comments alone writes only the second one.
    built = max((BUILT / "Modules" / f"{module}.{kind}").stat().st_mtime for kind in ("swiftmodule", "swiftdoc"))
    if not folder.exists() or folder.stat().st_mtime < built:
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        triple = json.loads(output("swiftc", "-print-target-info"))["target"]["unversionedTriple"]
        output("swift-symbolgraph-extract", "-module-name", module, "-target", triple, *flags(), "-output-dir", folder,
               "-minimum-access-level", "public", "-skip-synthesized-members")
    return folder
