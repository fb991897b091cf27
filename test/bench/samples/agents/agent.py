# A scripted agent: hands out the gist that someone put into a folder for this test, or nothing.
import os
import shutil
import sys
import time

name = os.environ["GISTIFY_NODE"].split("::")[-1]
with open(os.environ["SCRIPT_LOG"], "a") as log:
    log.write(os.path.basename(sys.argv[1]) + " " + name + "\n")
time.sleep(float(os.environ.get("SCRIPT_PAUSE", "0")))
gist = os.path.join(sys.argv[1], name + ".py")
if os.path.exists(gist):
    shutil.copyfile(gist, os.environ["GISTIFY_OUT"])
print("asked for", name, "in", os.listdir("."))
